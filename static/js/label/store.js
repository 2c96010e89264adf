// What the server has not acknowledged yet, kept in this browser under the person's own number: a
// second person at the same machine never meets it.

export class Store {
  constructor(person, storage) {
    this.prefix = `sheepfold:${person}:`;
    this.storage = storage;
    this.spare = new Map(); // where the browser keeps nothing, at least as long as the page lives
  }

  // record: {version, answer, submit, sent}; `sent` is the answer of a request without a reply.
  keep(id, record) {
    this.spare.set(String(id), record);
    try {
      this.storage.setItem(this.prefix + id, JSON.stringify(record));
    } catch {
      // Full or forbidden: the copy in memory remains, and the page says that it is not saved.
    }
  }

  get(id) {
    try {
      const text = this.storage.getItem(this.prefix + id);
      if (text) return JSON.parse(text);
    } catch {
      return this.spare.get(String(id)) || null;
    }
    return this.spare.get(String(id)) || null;
  }

  drop(id) {
    this.spare.delete(String(id));
    try {
      this.storage.removeItem(this.prefix + id);
    } catch {
      // Nothing was kept.
    }
  }

  // Numbers of the places with an unsent answer.
  ids() {
    const found = new Set(this.spare.keys());
    try {
      for (let i = 0; i < this.storage.length; i++) {
        const name = this.storage.key(i);
        if (name.startsWith(this.prefix)) found.add(name.slice(this.prefix.length));
      }
    } catch {
      return [...found];
    }
    return [...found];
  }
}

export function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
