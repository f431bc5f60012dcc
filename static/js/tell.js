// A word in the corner of the page, for scripts that have nobody to ask for one.

/** Shows the words that the page keeps in a <template> of this id. */
export function tell(id) {
  const words = document.getElementById(id);
  if (words) document.getElementById("toasts").append(words.content.firstElementChild.cloneNode(true));
}
