// Tables with data-sortable: each column head becomes a button; numbers sort as numbers.
const value = (row, index) => row.cells[index]?.dataset.value ?? row.cells[index]?.textContent.trim() ?? "";

function compare(a, b) {
  const x = Number(a), y = Number(b);
  if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b);
}

function sort(table, head, index) {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => compare(value(a, index), value(b, index)));
  body.append(...(down ? rows.reverse() : rows));
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  [...table.tHead.rows[0].cells].forEach((head, index) => {
    if (head.tagName !== "TH") return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain sorter";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head, index));
  });
}
