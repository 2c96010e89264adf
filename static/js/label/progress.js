// How far the person is: the thin line on top, and the words at the end.

import { by, request, say, settings } from "./api.js";

export async function progress() {
  const reply = await request("GET", settings.urls.project);
  const mine = reply.body && reply.body.progress;
  if (!mine) return;
  const total = mine.submitted + mine.left;
  by("progress").value = total ? mine.submitted / total : 1;
  by("progress-words").textContent = say("progress", { done: mine.submitted, left: mine.left });
  by("done-words").textContent = say(mine.submitted === 1 ? "done_one" : "done_many", { done: mine.submitted });
}
