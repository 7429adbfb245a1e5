// The same thing has one name in the text, the figures and the formula: `data-link`. Pointing at it,
// focusing it or tapping it lights it up everywhere.
{
  const linked = document.querySelectorAll("[data-link]");
  const words = document.querySelectorAll("[data-word]");
  let held = [];

  // A cell is its column's and its row's.
  const names = (element) => {
    const link = element?.closest("[data-link]");
    return link ? [...link.dataset.link.split(" "), ...names(link.parentElement)] : [];
  };

  const light = (wanted) => {
    for (const element of linked) {
      const lit = element.dataset.link.split(" ").some((name) => wanted.includes(name));
      element.toggleAttribute("data-lit", lit);
    }
  };

  const hold = (wanted) => {
    held = wanted.join() === held.join() ? [] : wanted;
    for (const word of words) {
      word.setAttribute("aria-pressed", String(word.dataset.link === held[0]));
    }
    light(held);
  };

  for (const word of words) {
    word.tabIndex = 0;
    word.setAttribute("role", "button");
    word.setAttribute("aria-pressed", "false");
    word.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      hold(names(word));
    });
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const wanted = names(event.target);
    light(wanted.length ? wanted : held);
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) light(names(event.target));
  });
  document.addEventListener("focusout", () => light(held));
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-word]") || event.pointerType === "touch";
    hold(pressed ? names(event.target) : []);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hold([]);
  });
}
