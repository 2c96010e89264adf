// Asks how far a job is, and loads the page anew when it has ended.
const words = JSON.parse(document.getElementById("job-words").textContent);
const box = document.querySelector("[data-job]");
const bar = box.querySelector("[data-bar]");
const set = (name, value) => {
  const element = box.querySelector(`[data-${name}]`);
  if (element.textContent !== value) element.textContent = value;
};

async function look() {
  try {
    const response = await fetch(words.url, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(String(response.status));
    const job = await response.json();
    if (job.ended) {
      location.reload();
      return;
    }
    set("text", job.text);
    set("message", job.message);
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
    }
  } catch {
    set("message", words.failed);
  }
  setTimeout(look, 1000);
}

setTimeout(look, 500);
