// Shows beside a field why the typed text is refused. The text stays in the field to be corrected.
"use strict";
{
  const { page, make } = globalThis.torchbook;
  let count = 0;

  // Returns {box, show(problem), hide()}. A screen reader reads it as soon as it is shown.
  page.problemOf = (input) => {
    const box = make("span", { class: "problem", id: `problem-${++count}`, role: "alert" });
    box.hidden = true;
    return {
      box,
      show: (problem) => {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", box.id);
        box.hidden = false;
        if (box.textContent !== problem) box.textContent = problem;
      },
      hide: () => {
        input.removeAttribute("aria-invalid");
        input.removeAttribute("aria-describedby");
        box.hidden = true;
        box.textContent = "";
      },
    };
  };
}
