// A plain script at the top of a page: it opens the browser's database, and reads what never reached
// the site, while the modules still come. `early` is {database, rows}: the database or null, and rows
// of all keys. Name and table are those of label/store.js, which opens it where no page did.
// Where the page's tag names what it will ask the site first (data-method, data-url, data-token),
// that is asked here too: `early.first` is {method, url, reply}, the reply to be read once.

{
  const opening = new Promise((resolve, reject) => {
    const asked = indexedDB.open("sheepfold", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("unsent");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  const read = (database) =>
    new Promise((resolve, reject) => {
      const asked = database.transaction("unsent").objectStore("unsent").getAll();
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  const database = opening.catch(() => null); // private windows may have none
  window.early = { database, rows: opening.then(read).catch(() => []) };
  const { method, url, token } = document.currentScript.dataset;
  if (url) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    const signal = AbortSignal.timeout(30_000); // as label/api.js
    const reply = fetch(url, { method, headers, signal, body: method === "POST" ? "{}" : undefined });
    reply.catch(() => null); // whoever reads it meets the dead line
    window.early.first = { method, url, reply };
  }
}
