// A button with data-copy="ID" copies that field; without the clipboard the field is selected.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  });
}
