// Follows a value: highlights all rows that took or gave its bits, on both sides, and steps from one to the next.
"use strict";
{
  const said = document.getElementById("followed");
  const moves = document.getElementById("moves");
  const byHash = new Map();
  const byMemory = new Map();
  const add = (map, key, button) => {
    const known = map.get(key);
    if (known) known.push(button);
    else map.set(key, [button]);
  };
  for (const button of document.querySelectorAll("button.value")) {
    button.setAttribute("aria-pressed", "false");
    add(byHash, button.dataset.hash, button);
    if (button.dataset.memory) add(byMemory, button.dataset.memory, button);
  }
  let followed = []; // the buttons of the value, in order
  let related = []; // buttons of other bits in the same memory: other views, or what it held at another time
  let at = 0;

  // Returns how many operations of each side have a button in such a place: "1 here, 2 there".
  const counted = (role) => {
    const calls = (side) =>
      new Set(followed.map((button) => button.closest(`[data-side="${side}"] .${role}`)).filter(Boolean)).size;
    return `${calls("here")} here, ${calls("there")} there`;
  };

  const forget = () => {
    for (const button of followed) button.setAttribute("aria-pressed", "false");
    for (const button of related) button.classList.remove("related");
    for (const row of document.querySelectorAll("tr.holds")) row.classList.remove("holds");
    for (const inside of document.querySelectorAll(".inside")) inside.remove();
    followed = [];
    related = [];
    moves.hidden = true;
    said.textContent = "";
  };

  // Tells how many rows of each folded run have the value.
  const markRuns = () => {
    for (const run of document.querySelectorAll("details.run")) {
      const rows = run.querySelectorAll("tr.holds").length;
      if (rows === 0) continue;
      const inside = document.createElement("span");
      inside.className = "inside";
      inside.textContent = `${rows} with the value`;
      run.querySelector("summary").append(inside);
    }
  };

  const follow = (button) => {
    forget();
    followed = byHash.get(button.dataset.hash);
    at = followed.indexOf(button);
    for (const one of followed) {
      one.setAttribute("aria-pressed", "true");
      one.closest("tr").classList.add("holds");
    }
    const memories = new Set(followed.map((one) => one.dataset.memory).filter(Boolean));
    related = [...memories].flatMap((memory) => byMemory.get(memory)).filter((one) => one.dataset.hash !== button.dataset.hash);
    for (const one of related) one.classList.add("related");
    markRuns();
    moves.hidden = false;
    const name = button.textContent.replace(", other bits", "");
    const views = related.length === 0 ? "" : ` ${related.length} more in the same memory, with other bits or in another order.`;
    said.textContent = `${name}, in rows of this page: given ${counted("gives")}; taken ${counted("takes")}.${views}`;
  };

  const move = (step) => {
    at = (at + step + followed.length) % followed.length;
    const run = followed[at].closest("details");
    if (run) run.open = true;
    followed[at].focus();
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.value");
    if (!button) return;
    if (button.getAttribute("aria-pressed") === "true") forget();
    else follow(button);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || followed.length === 0) return;
    followed[at].focus();
    forget();
  });
  document.getElementById("before").addEventListener("click", () => move(-1));
  document.getElementById("behind").addEventListener("click", () => move(1));
  document.getElementById("clear").addEventListener("click", () => {
    followed[at].focus();
    forget();
  });
}
