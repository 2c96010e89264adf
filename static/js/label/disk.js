// IndexedDB as a second place for what is not sent: local storage reaches the disk only after some
// seconds, and a browser that is killed before has forgotten it.

const NAME = "sheepfold";
const TABLE = "unsent";

function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(TABLE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

export class Disk {
  constructor() {
    this.ready = open().catch(() => null); // private windows may have none
    this.ready.then((held) => (this.held = held));
  }

  // Runs one action at once where the database is open, so that a closing page still gets it off.
  async run(act) {
    const held = this.held || (await this.ready);
    if (!held) return null;
    return new Promise((resolve) => {
      try {
        const work = held.transaction(TABLE, "readwrite", { durability: "strict" });
        const asked = act(work.objectStore(TABLE));
        work.oncomplete = () => resolve(asked.result);
        work.onerror = work.onabort = () => resolve(null);
        if (work.commit) work.commit();
      } catch {
        resolve(null);
      }
    });
  }

  put(key, record) {
    return this.run((table) => table.put({ key, record }, key));
  }

  remove(key) {
    return this.run((table) => table.delete(key));
  }

  // [{key, record}] of the keys that begin with the prefix.
  async all(prefix) {
    return (await this.run((table) => table.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))) || [];
  }
}
