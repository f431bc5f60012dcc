// The columns beside the story fold away, and a cookie remembers it so that the page comes as it was left.

const root = document.documentElement;
const isNarrow = matchMedia("(max-width: 68rem)");
const panel = document.getElementById("panel");
const YEAR = 365 * 24 * 3600;

export function fold(name) {
  if (name === "panel" && isNarrow.matches) return lay();
  root.dataset[name] = root.dataset[name] === "folded" ? "" : "folded";
  document.cookie = `${name}=${root.dataset[name]}; path=/stories; max-age=${YEAR}; samesite=lax`;
}

// Where there is no room beside the story, the panel lies over it for as long as it is needed.
let opener = null;
function lay() {
  const opens = root.dataset.panel !== "open";
  root.dataset.panel = opens ? "open" : "";
  if (opens) {
    opener = document.activeElement;
    panel.querySelector("[aria-selected=true]").focus();
  } else opener?.focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fold]");
  if (!button) return;
  event.preventDefault();
  fold(button.dataset.fold);
});
