// The tree opens where the reader is.

document.querySelector(".boxes .box.here")?.scrollIntoView({ block: "center" });
