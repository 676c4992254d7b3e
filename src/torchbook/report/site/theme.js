// Runs before anything is drawn: says that there is a script, and sets what the reader chose the last time.
"use strict";
{
  const root = document.documentElement;
  root.classList.add("js");
  for (const name of ["theme", "columns"]) {
    let chosen = null;
    try {
      chosen = localStorage.getItem("torchbook-" + name);
    } catch {
      // Storage is closed to some pages from files; then nothing is remembered.
    }
    if (chosen && /^[a-z]+$/.test(chosen)) root.dataset[name] = chosen;
  }
}
