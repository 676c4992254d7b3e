// Says below the page that it is no longer the document's, with undo, reset and a link that holds the changes.
"use strict";
{
  const { page } = globalThis.torchbook;

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  const wordsOf = () => {
    const { numbers, seeds } = page.changed();
    const changed = [numbers > 0 && counted(numbers, "number"), seeds > 0 && counted(seeds, "seed")].filter(Boolean).join(" and ");
    const { tensors, texts } = page.followers();
    return `${changed} changed. ${counted(tensors, "tensor")} and ${counted(texts, "text")} follow.`;
  };

  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", () => act(made));
    return made;
  };

  const say = (text) => { document.getElementById("say").textContent = text; };

  const bar = document.createElement("section");
  bar.className = "changes";
  bar.hidden = true;
  bar.setAttribute("aria-label", "Changes");
  const strong = document.createElement("strong");
  strong.textContent = "Not the document’s numbers.";
  const words = document.createElement("span");
  const text = document.createElement("p");
  text.append(strong, " ", words);
  const undo = button("Undo", () => page.undo());
  const reset = button("Reset", () => page.reset());
  const buttons = document.createElement("div");
  const link = button("Copy link", () => {}); // switches.js copies
  const unread = document.createElement("p");
  unread.className = "error";
  buttons.append(undo, reset, link);
  bar.append(text, unread, buttons);

  let edited = []; // the entries that differ from the document's
  let last = null; // the one that changed last

  const draw = () => {
    const { numbers, seeds } = page.changed();
    const before = edited;
    edited = [...document.querySelectorAll("td.edited")];
    last = edited.find((one) => !before.includes(one)) ?? before.find((one) => !edited.includes(one)) ?? last;
    const isChanged = numbers + seeds > 0;
    const holdsFocus = bar.contains(document.activeElement);
    const notRead = page.unread();
    bar.hidden = !isChanged && notRead.length === 0;
    unread.textContent = notRead.length > 0 ? `The page does not understand this of the address: ${notRead.join(", ")}` : "";
    [text.hidden, link.hidden] = [!isChanged, !isChanged];
    undo.disabled = !page.canUndo();
    if (isChanged) [link.dataset.copies, words.textContent] = [page.link(), wordsOf()];
    if (bar.hidden && holdsFocus) (last ?? document.querySelector(".heat td[tabindex='0']"))?.focus();
  };

  // Scrolls an element that has the focus out from under the bar, which grows with a change.
  const uncover = () => {
    document.documentElement.style.scrollPaddingBottom = bar.hidden ? "" : `${bar.offsetHeight + 24}px`;
    const focused = document.activeElement;
    if (bar.hidden || bar.contains(focused) || !focused.matches("td, input, button, summary, a")) return;
    const { top, bottom } = focused.getBoundingClientRect();
    const covered = bottom + 8 - bar.getBoundingClientRect().top;
    if (covered > 0 && top < innerHeight) scrollBy(0, covered);
  };

  // Reads the bar aloud, once a change is over.
  page.sayChanges = () => {
    const { numbers, seeds } = page.changed();
    say(numbers + seeds > 0 ? wordsOf() : "The document’s numbers.");
  };

  // A seed that is half typed does not count before the button that is pressed: the bar would move from under the pointer.
  bar.addEventListener("mousedown", (event) => { if (document.activeElement.closest(".seed")) event.preventDefault(); });

  page.addBar = () => {
    document.querySelector(".sections").append(bar);
    document.addEventListener("changes", () => {
      draw();
      requestAnimationFrame(uncover);
    });
    document.addEventListener("keydown", (event) => {
      const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isUndo || event.target.closest("input, textarea") || !page.canUndo()) return;
      event.preventDefault();
      page.undo();
      page.sayChanges();
    });
  };
}
