// What the server has not acknowledged yet, kept in this browser under the person's own number: a
// second person at the same machine never meets it. In memory, in local storage (at hand at once
// when a page dies) and on disk (when the whole browser does); the newest of them counts.

export class Store {
  constructor(person, storage, disk) {
    this.prefix = `sheepfold:${person}:`;
    this.storage = storage;
    this.disk = disk;
    this.held = new Map();
  }

  // Read what earlier pages and other tabs left; to be awaited before anything else. `rows` are the
  // disk's, where the page has read them already.
  async load(rows = this.disk.all(this.prefix)) {
    for (const [key, record] of this.stored()) {
      const other = this.held.get(key);
      if (!other || other.at <= record.at) this.held.set(key, record);
    }
    for (const { key, record } of await rows) {
      if (!key.startsWith(this.prefix)) continue;
      const other = this.held.get(key);
      if (other && other.at > record.at) continue;
      if (record.gone) {
        this.held.delete(key);
        this.disk.remove(key);
      } else this.held.set(key, record);
    }
  }

  stored() {
    const found = [];
    try {
      for (const key of Object.keys(this.storage)) {
        if (key.startsWith(this.prefix)) found.push([key, JSON.parse(this.storage.getItem(key))]);
      }
    } catch {
      return found;
    }
    return found;
  }

  // record: {version, answer, submit, sent, name, page}; `sent` is the answer of a request without a
  // reply, `name` what the person knows the item by, `page` where the item's project is labelled.
  keep(id, record) {
    const key = this.prefix + id;
    const dated = { ...record, at: Date.now() };
    this.held.set(key, dated);
    this.disk.put(key, dated);
    try {
      this.storage.setItem(key, JSON.stringify(dated));
    } catch {
      // Full or forbidden: the other copies remain, and the page says that it is not saved.
    }
  }

  get(id) {
    return this.held.get(this.prefix + id) || null;
  }

  drop(id) {
    const key = this.prefix + id;
    this.held.delete(key);
    this.disk.put(key, { gone: true, at: Date.now() });
    try {
      this.storage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  }

  // Numbers of the places with an unsent answer, the oldest first.
  ids() {
    const keys = [...this.held].sort(([, a], [, b]) => a.at - b.at).map(([key]) => key);
    return keys.map((key) => key.slice(this.prefix.length));
  }
}

export function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

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
    this.ready = window.early?.database || open().catch(() => null); // private windows may have none
    this.ready.then((held) => (this.held = held));
  }

  // Runs one action at once where the database is open, so that a closing page still gets it off.
  async run(act, mode = "readwrite") {
    const held = this.held || (await this.ready);
    if (!held) return null;
    return new Promise((resolve) => {
      try {
        const work = held.transaction(TABLE, mode, { durability: "strict" });
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
    return (await this.run((table) => table.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)), "readonly")) || [];
  }
}
