// Every figure is a form whose texts were all computed when the page was built.
// This script reads the controls, finds the state, and puts its texts in place. It computes nothing.
// It also keeps the state in the address and in the history.
"use strict";
{
  const figures = new Map(); // by id: the record that `start` makes

  // A figure that fails says which it is, and does not stop the next.
  const guarded = (id, act) => {
    try {
      act();
    } catch (error) {
      console.error(`figure ${id}:`, error);
    }
  };

  // The address holds the settings of one figure. The entry of the history holds those of all, for
  // Back and for a reload.
  const remember = (id) => {
    const kept = {};
    for (const [name, record] of figures) kept[name] = record.stands();
    const query = figures.get(id)?.stands();
    let hash = location.hash;
    if (query !== undefined) hash = query ? `#${id}?${query}` : `#${id}`;
    try {
      history.replaceState(kept, "", hash);
    } catch {
      // A sandboxed frame or a browser's limit: the figures work without their address.
    }
  };

  const start = (form) => {
    const id = form.dataset.figure;
    const figure = form.closest("figure");
    // The elements that show something, by its name, and what they show now: unknown until the
    // first change.
    const places = (attribute) => {
      const found = new Map();
      for (const element of figure.querySelectorAll(`[${attribute}]`)) {
        for (const name of element.getAttribute(attribute).split(" ")) {
          found.set(name, [...(found.get(name) ?? []), element]);
        }
      }
      return [...found].map(([name, elements]) => ({ name, elements, now: undefined }));
    };

    const slots = places("data-slot");
    const lengths = places("data-length");
    // Lengths that are attributes of SVG: what they draw is not styled again.
    const attributes = ["x2", "y2", "r"].map((attribute) => [
      attribute,
      places(`data-${attribute}`),
    ]);
    const valuetexts = places("data-valuetext");
    const live = figure.querySelector("[data-live]");
    // Without a script a link to a state leads to the element of that id. With it, it leads to the
    // figure; WebKit would scroll to the element after that.
    for (const place of document.querySelectorAll(`[id^="${id}?"]`)) place.removeAttribute("id");
    let data;
    let settings = {};
    let tables;
    let texts;
    let standing = ""; // what an address would say of the state last settled on

    // Parsed when first needed: the page as built already shows the default.
    const states = () => {
      data ??= JSON.parse(document.getElementById(`${id}-states`).textContent);
      return data;
    };

    const controls = new Map();
    const controlOf = (name) => {
      if (!controls.has(name)) controls.set(name, form.elements[name]);
      return controls.get(name);
    };

    const read = (name) => {
      const control = controlOf(name);
      if (control.type === "checkbox") return control.checked ? "on" : "off";
      return control.value;
    };

    const write = (name, value) => {
      const control = controlOf(name);
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
    };

    const leaf = (tree) => {
      let found = tree;
      while (typeof found !== "string") found = found[1][settings[found[0]]];
      return found;
    };

    // What no slot is called is an entry of one that is a table: `weights-10-3`, or
    // `weights-asks-3` in the line that the control `asks` says.
    const entry = (name) => {
      const [, table, row, column] = name.match(/^(.+)-(\w+)-(\w+)$/);
      tables[table] ??= text(table)
        .split("\n")
        .map((line) => line.split(" "));
      return tables[table][settings[row] ?? row][settings[column] ?? column];
    };

    const filled = (tree) => {
      const found = leaf(tree);
      return found.includes("{") ? found.replace(/\{(.+?)\}/g, (_, name) => text(name)) : found;
    };

    // Each text is found once in a state: some stand in several places, and within others.
    const text = (name) => {
      let found = texts.get(name);
      if (found === undefined) {
        const tree = states().slots[name];
        found = tree === undefined ? entry(name) : filled(tree);
        texts.set(name, found);
      }
      return found;
    };

    const length = (name) => {
      const tree = states().lengths[name];
      return tree === undefined ? entry(name) : filled(tree);
    };

    // Whether two texts differ in nothing but digits, which are all of one width.
    const shape = (words) => words.replace(/\d/g, "0");
    const alike = (one, other) => one.length === other.length && shape(one) === shape(other);

    // Where only digits change, the text node is kept: a new one would be styled and laid out anew.
    // (Kept for another width, it would seem to jump. And whoever translates the page may have put
    // something else there.) A sign such as −∞ is spoken in words. Returns whether it was kept.
    const put = (element, words) => {
      const before = element.textContent;
      if (before === words) return true;
      const node = element.firstChild;
      const alone = node?.nodeType === Node.TEXT_NODE && !node.nextSibling;
      const kept = alone && alike(before, words);
      if (kept) node.data = words;
      else element.textContent = words;
      const spoken = states().spoken[words];
      if (spoken) {
        element.setAttribute("role", "img");
        element.setAttribute("aria-label", spoken);
      } else if (element.hasAttribute("aria-label")) {
        element.removeAttribute("role");
        element.removeAttribute("aria-label");
      }
      return kept;
    };

    // `[query 2.0] × [key 2]` is three spans, the first of class `query`, the last of class `key`.
    // After the first text of another width all are put anew: what is kept there would seem to jump.
    const ROLES = /\[(query|key|value|weight|sign) (.*?)\]|[^[]+|\[/g;
    const putPieces = (element, marked) => {
      let span = element.firstElementChild;
      let kept = true;
      for (const [piece, role = "", words = piece] of marked.matchAll(ROLES)) {
        if (span?.className !== role) {
          const fresh = document.createElement("span");
          fresh.className = role;
          if (span) span.replaceWith(fresh);
          else element.append(fresh);
          span = fresh;
        }
        if (!kept) span.textContent = "";
        kept = put(span, words) && kept;
        span = span.nextElementSibling;
      }
      while (span) {
        const next = span.nextElementSibling;
        span.remove();
        span = next;
      }
    };

    const putText = (element, words) => {
      if (element.hasAttribute("data-pieces")) putPieces(element, words);
      else put(element, words);
    };

    const putValuetext = (element, words) => element.setAttribute("aria-valuetext", words);

    // `weight-animal` is the property `--weight`.
    const putProperty = (element, found, name) =>
      element.style.setProperty(`--${name.split("-", 1)[0]}`, found);

    // Only what differs from what is shown is touched: even setting what is there would cost.
    const renew = (all, find, show) => {
      for (const place of all) {
        const found = find(place.name);
        if (found === place.now) continue;
        place.now = found;
        for (const element of place.elements) show(element, found, place.name);
      }
    };

    // The state is read from the form each time, since the browser may have restored it.
    const sync = () => {
      const before = settings;
      settings = {};
      tables = {};
      texts = new Map();
      for (const name of Object.keys(states().controls)) {
        settings[name] = read(name);
        const stand = `data-now-${name}`;
        if (settings[name] !== before[name] && figure.hasAttribute(stand)) {
          figure.setAttribute(stand, settings[name]);
        }
      }
      renew(slots, text, putText);
      renew(valuetexts, text, putValuetext);
      renew(lengths, length, putProperty);
      for (const [attribute, all] of attributes) {
        renew(all, length, (element, found) => element.setAttribute(attribute, found));
      }
    };

    // Said once a change is committed, not at every step of a drag.
    const announce = () => {
      live.textContent = text("verdict");
    };

    const settle = () => {
      const changed = new URLSearchParams();
      for (const [name, [usual]] of Object.entries(states().controls)) {
        if (settings[name] !== usual) changed.set(name, settings[name]);
      }
      standing = changed.toString();
    };

    const commit = () => {
      announce();
      settle();
      remember(id);
    };

    // The default, plus what the address names and gets right. What was said of another state is
    // no longer true.
    const restore = (named) => {
      live.textContent = "";
      for (const [name, [usual, values]] of Object.entries(states().controls)) {
        const wanted = named.get(name);
        write(name, values.includes(wanted) ? wanted : usual);
      }
      sync();
      settle();
    };

    const heed = (element, event, act) => element.addEventListener(event, () => guarded(id, act));
    heed(form, "input", sync);
    heed(form, "change", () => {
      sync();
      commit();
    });
    // Pressing a row presses its name. That may be far from its radio button: choosing it must not
    // scroll there.
    figure.addEventListener("click", (event) => {
      // Who selects a number, or presses a word within a row, does not choose the row.
      if (!getSelection().isCollapsed || event.target.closest("[data-word], a")) return;
      const row = event.target.closest("tr");
      const label = event.target.closest("label") ?? row?.querySelector("th label");
      if (!label?.control || label.contains(label.control)) return;
      event.preventDefault();
      label.control.focus({ preventScroll: true });
      label.control.click();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    heed(figure.querySelector("[data-reset]"), "click", () => {
      restore(new URLSearchParams());
      commit();
    });
    // Whether the controls stand as in the page as built, so that its texts are right already.
    const untouched = () =>
      [...form.elements].every((control) => {
        if (/^(checkbox|radio)$/.test(control.type))
          return control.checked === control.defaultChecked;
        if (control.options) return control.selectedOptions[0].defaultSelected;
        return control.value === (control.defaultValue ?? control.value);
      });
    figures.set(id, {
      element: figure,
      restore,
      sync: () => {
        sync();
        settle();
      },
      untouched,
      announce,
      stands: () => standing,
    });
  };

  const addressed = () => {
    const [id, query] = location.hash.slice(1).replace(/%3F/i, "?").split("?", 2);
    return { id, named: new URLSearchParams(query ?? "") };
  };

  // The address wins over what the browser restored in the form.
  const follow = () => {
    const { id, named } = addressed();
    const target = figures.get(id);
    if (target) guarded(id, () => target.restore(named));
    return target;
  };

  for (const form of document.querySelectorAll("form[data-figure]")) {
    guarded(form.dataset.figure, () => start(form));
  }
  for (const [id, record] of figures) {
    const kept = history.state?.[id];
    if (kept) guarded(id, () => record.restore(new URLSearchParams(kept)));
  }
  follow();

  // Again once the page is shown: by now the browser has put back what it kept of the forms.
  addEventListener("pageshow", (event) => {
    const target = follow();
    for (const [id, record] of figures) {
      if (record !== target && !record.untouched()) guarded(id, record.sync);
    }
    // What the address got wrong is not what is shown.
    remember(addressed().id);
    const came = performance.getEntriesByType("navigation")[0]?.type;
    // A page that comes back whole keeps the reader's place.
    if (target && came === "navigate" && !event.persisted) target.element.scrollIntoView();
  });

  // Back and Forward bring back how every figure stood. Of a link that is followed nothing is kept
  // yet, and it changes its own figure alone.
  addEventListener("popstate", (event) => {
    for (const [id, record] of figures) {
      const kept = event.state?.[id];
      if (kept !== undefined) guarded(id, () => record.restore(new URLSearchParams(kept)));
    }
  });

  // An entry that is kept was come back to: its figures stand, and the reader's place is its own.
  addEventListener("hashchange", () => {
    if (history.state) return;
    const target = follow();
    remember(addressed().id);
    if (!target) return;
    target.element.scrollIntoView();
    target.element.focus({ preventScroll: true });
    guarded(addressed().id, target.announce);
  });
}
