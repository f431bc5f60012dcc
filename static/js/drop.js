// Files dropped anywhere on the page go into its file field, and a chosen file is sent at once.

const place = document.querySelector("[data-drop]");
const field = document.getElementById(place?.dataset.drop);
const veil = document.querySelector(".drop-veil");

field?.addEventListener("change", () => field.files.length && field.form.requestSubmit());

// What has been taken in is not sent a second time when the same file is chosen again later.
field?.form.addEventListener("htmx:after:swap", () => (field.value = ""));
field?.form.addEventListener("htmx:finally:request", () => (field.value = ""));

let depth = 0;
const carriesFiles = (event) => field && event.dataTransfer?.types.includes("Files");
const show = (shown) => veil && (veil.hidden = !shown);

addEventListener("dragenter", (event) => carriesFiles(event) && ++depth && show(true));
addEventListener("dragleave", (event) => carriesFiles(event) && --depth <= 0 && show(false));
addEventListener("dragover", (event) => carriesFiles(event) && event.preventDefault());
addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  depth = 0;
  show(false);
  field.files = event.dataTransfer.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
});
