// The writer's home: which samples have text in this browser that never reached the site.

import { browserStorage, Disk, Store } from "../label/store.js";

const list = document.getElementById("own");

async function start() {
  const kept = new Store(`writing:${list.dataset.person}`, browserStorage(), new Disk());
  await kept.load();
  for (const id of kept.ids()) {
    const row = list.querySelector(`[data-sample="${CSS.escape(id)}"]`);
    if (row) row.querySelector(".unsent").hidden = false;
  }
}

if (list) start();
