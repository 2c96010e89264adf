// The preview of the guidelines, without loading the page anew: nothing that is typed is touched.
const button = document.querySelector("button[name=preview]");
const form = button.form;
const said = form.querySelector("[data-preview-said]");

// The page that the form would lead to, with its two previews.
async function fetched() {
  const body = new FormData(form, button);
  const reply = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const boxes = ["preview", "writer-preview"].map((id) => page.getElementById(id));
  if (!reply.ok || boxes.includes(null)) throw new Error(String(reply.status));
  return boxes;
}

form.addEventListener("submit", async (event) => {
  if (event.submitter !== button) return;
  event.preventDefault();
  said.textContent = "";
  try {
    for (const box of await fetched()) {
      const here = document.getElementById(box.id);
      here.replaceChildren(...box.childNodes);
      here.hidden = box.hidden;
    }
    said.textContent = form.dataset.previewShown;
  } catch {
    said.textContent = form.dataset.previewFailed;
  }
});
