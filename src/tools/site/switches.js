// Handles the switches under "View" and the copy buttons, and makes scrolling code reachable by key.
"use strict";
{
  const root = document.documentElement;

  const remember = (name, value) => {
    try {
      localStorage.setItem("torchbook-" + name, value);
    } catch {
      // the choice then holds only for this page
    }
  };

  for (const name of ["theme", "columns", "weights"]) {
    const group = document.getElementById(name);
    if (!group) continue;
    const now = group.querySelector(`input[value="${root.dataset[name]}"]`);
    if (now) now.checked = true;
    group.addEventListener("change", (event) => {
      root.dataset[name] = event.target.value;
      remember(name, event.target.value);
      reachable();
    });
  }

  // Links to other pages carry the choice that the address makes (theme.js).
  for (const link of document.querySelectorAll('a[href*=".html"]')) if (location.search) link.search = location.search;

  // The menu closes on Escape and on a click elsewhere.
  const view = document.querySelector(".view");
  document.addEventListener("pointerdown", (event) => {
    if (!view.contains(event.target)) view.open = false;
  });
  view.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    view.open = false;
    view.querySelector("summary").focus();
  });

  // ------------------------------------------------------------ copying

  const say = (text) => { document.getElementById("say").textContent = text; };

  // Pages from files may lack the modern clipboard API.
  const copyByCommand = (text) => {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyByCommand(text);
    }
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest(".copy, [data-copies]");
    if (!button) return;
    const done = await copy(button.dataset.copies ?? button.closest(".column").querySelector("code").textContent);
    button.focus();
    button.dataset.text ||= button.textContent;
    button.textContent = done ? "Copied" : "Not copied";
    say(button.textContent);
    setTimeout(() => { button.textContent = button.dataset.text; }, 1500);
  });

  // ------------------------------------------------------------ reaching scrolling elements by key

  const reachable = () => {
    for (const box of document.querySelectorAll("pre, .guide table")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reachable();
  addEventListener("resize", reachable);
}
