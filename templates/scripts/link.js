// The same thing has one name in the text, the figures and the formula: `data-link`. Pointing at it,
// focusing it or tapping it lights it up everywhere.
{
  const linked = document.querySelectorAll("[data-link]");
  const words = document.querySelectorAll("[data-word]");
  let held = [];

  // A cell is its column's and its row's.
  const names = (element) => {
    const link = element?.closest("[data-link]");
    if (!link) return [];
    return [...new Set([...link.dataset.link.split(" "), ...names(link.parentElement)])];
  };

  let lit = "";
  const light = (wanted) => {
    if (wanted.join() === lit) return;
    lit = wanted.join();
    for (const element of linked) {
      const links = element.dataset.link.split(" ");
      element.toggleAttribute(
        "data-lit",
        links.some((name) => wanted.includes(name)),
      );
    }
  };

  // Where no pointer is: what the keyboard has reached, else what is held.
  const rest = () => {
    const reached = document.activeElement;
    const wanted = reached.matches(":focus-visible") ? names(reached) : [];
    light(wanted.length ? wanted : held);
  };

  const hold = (wanted) => {
    held = wanted.join() === held.join() ? [] : wanted;
    for (const word of words) {
      word.setAttribute("aria-pressed", String(word.dataset.link === held[0]));
    }
    rest();
  };

  for (const word of words) {
    word.tabIndex = 0;
    word.setAttribute("role", "button");
    word.setAttribute("aria-pressed", "false");
    word.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!event.repeat) hold(names(word));
    });
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const wanted = names(event.target);
    if (wanted.length) light(wanted);
    else rest();
  });
  document.addEventListener("focusin", rest);
  document.addEventListener("focusout", rest);
  document.addEventListener("click", (event) => {
    // A row of a form is tapped to choose it.
    const tapped = event.pointerType === "touch" && !event.target.closest("form tr");
    const pressed = event.target.closest("[data-word]") || tapped;
    hold(pressed ? names(event.target) : []);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hold([]);
  });
}
