// How scripts act: through the same form as the controls in the story, so that every act says what the page believes.

const story = document.getElementById("composer").action.replace(/\/turns$/, "");
const busy = () => document.getElementById("acts").matches(".htmx-request");
let current = "";
let next = "";

/** Sends an act of the story, such as "continue" or "entries/…/prune". One at a time; another one waits for its turn. */
export function act(path) {
  if (busy()) {
    if (path !== current) next = path;
    return;
  }
  [current, next] = [path, ""];
  htmx.ajax("POST", `${story}/${path}`, { source: "#acts", target: "#toasts", swap: "beforeend" });
}

// A moment later: until then the form counts as on its way.
document.getElementById("acts").addEventListener("htmx:finally:request", () => setTimeout(() => next && act(next)));

/** Draws the story as it is now. */
export function look() {
  const shown = document.querySelector(".shown").value;
  htmx.ajax("GET", `${story}/now?shown=${shown}`, { source: "#story", swap: "none" });
}

export const isPerforming = () => document.getElementById("helm").dataset.performance !== "";
