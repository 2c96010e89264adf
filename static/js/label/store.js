// What the server has not acknowledged, kept in this browser. The key holds the person, so that
// nobody else who signs in here is shown it.

const name = (user, id) => `sheepfold:${user}:${id}`;

export class Store {
  constructor(user, storage = window.localStorage) {
    this.user = user;
    this.storage = storage;
  }

  /** copy = {answer, version, submit, sent}: sent is an answer whose fate is unknown, or null. */
  put(id, copy) {
    try {
      this.storage.setItem(name(this.user, id), JSON.stringify(copy));
    } catch {
      // A full or forbidden storage only loses the second copy; the save itself goes on.
    }
  }

  get(id) {
    try {
      return JSON.parse(this.storage.getItem(name(this.user, id)));
    } catch {
      return null;
    }
  }

  drop(id) {
    try {
      this.storage.removeItem(name(this.user, id));
    } catch {
      // As above.
    }
  }

  /** Ids of places with something unsent. */
  ids() {
    const prefix = name(this.user, "");
    try {
      const keys = Object.keys(this.storage).filter((key) => key.startsWith(prefix));
      return keys.map((key) => Number(key.slice(prefix.length))).filter(Number.isInteger);
    } catch {
      return [];
    }
  }
}
