// Makes the page compute, unless the engine does not understand its program. Nothing on the page changes by that.
"use strict";
{
  const { page } = globalThis.torchbook;

  const start = () => {
    try {
      page.read();
    } catch (error) {
      const hint = document.getElementById("computes");
      hint.textContent = `The numbers of this page cannot be changed: ${error.message}.`;
      return;
    }
    document.documentElement.classList.add("computes");
    page.addSeeds();
    page.addBar();
    page.addQuestions();
    page.listen();
    page.fromAddress();
    addEventListener("hashchange", page.fromAddress);
  };

  start();
}
