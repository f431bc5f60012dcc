// Before a jump the page asks. The question comes from the server; without a script its link leads to a page of its own.

const question = document.getElementById("leave");

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target === question && question.firstElementChild && !question.open) question.showModal();
});

// An answer that draws the story anew has been obeyed; one that was refused is told in the corner, and the words stay.
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement?.closest?.("#leave") && ctx.response.status < 400) question.close();
});

// Own words are asked for when they are wanted, and at once.
question?.addEventListener("change", ({ target }) => {
  if (target.value === "text") question.querySelector(".own-words").focus();
});
question?.addEventListener("click", (event) => {
  if (event.target.closest("a[data-closes]")) event.preventDefault();
});
