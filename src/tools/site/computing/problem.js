// Says beside a field why what was typed is not taken. The text stays in the field to be mended.
"use strict";
{
  const { page, make } = globalThis.torchbook;
  let count = 0;

  // Returns what says it: {box, show(problem), hide()}. A screen reader reads it as soon as it is shown.
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
