// A button with data-copy="ID" copies that field and says so (data-copied); without the clipboard
// the field is selected, so that the person's own keys copy it.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied;
    } catch {
      field.focus();
    }
  });
}
