// Runs before the first paint: a story opens at its end, where the reader left it.
if (!location.hash && !location.search) document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight;
