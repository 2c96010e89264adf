// Tables with data-filter: a field above that hides the rows without the typed words. The
// attribute holds the field's label, data-filter-none what is said where no row has them; a short
// table needs no such field.
function filter(table, text) {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const row of table.tBodies[0].rows) {
    const shown = row.textContent.toLocaleLowerCase();
    row.hidden = !words.every((word) => shown.includes(word));
    left += Number(!row.hidden);
  }
  return left;
}

document.querySelectorAll("table[data-filter]").forEach((table, index) => {
  if (table.tBodies[0].rows.length < 5) return;
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.type = "search";
  field.id = `filter-${index}`;
  label.htmlFor = field.id;
  label.textContent = table.dataset.filter;
  const box = document.createElement("div");
  box.className = "field";
  box.append(label, field);
  const none = document.createElement("p");
  none.className = "quiet";
  none.setAttribute("role", "status");
  table.closest(".table").before(box);
  table.closest(".table").after(none);
  field.addEventListener("input", () => {
    none.textContent = filter(table, field.value) ? "" : table.dataset.filterNone;
  });
});
