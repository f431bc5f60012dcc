// Runs before the first paint: a story opens at its end, where the reader left it; a new one at its first line.
if (!location.hash && !location.search && document.querySelectorAll(".speech").length > 1) {
  document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight;
}
