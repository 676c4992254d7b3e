// Runs before anything is drawn: marks that scripts run, and restores the reader's last choices. An address such as
// "page.html?python" chooses the column of code for this visit.
"use strict";
{
  const root = document.documentElement;
  root.classList.add("js");
  for (const name of ["theme", "columns", "weights"]) {
    let chosen = null;
    try {
      chosen = localStorage.getItem("torchbook-" + name);
    } catch {
      // Some pages from files may not use storage. Then nothing is remembered.
    }
    if (chosen && /^[a-z]+$/.test(chosen)) root.dataset[name] = chosen;
  }
  const asked = location.search.slice(1);
  if (["both", "python", "cpp"].includes(asked)) root.dataset.columns = asked;
}
