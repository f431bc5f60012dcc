// The key / goes to the search field, as people expect; typing elsewhere is left alone.

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector('input[type="search"]');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});
