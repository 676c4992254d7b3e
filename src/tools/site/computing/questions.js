// Asks questions that a reader answers by changing numbers. The page checks the answer by computing.
"use strict";
{
  const { page, make } = globalThis.torchbook;

  const largestAt = (values) => values.indexOf(Math.max(...values));

  // By notebook: the text, the tensors that decide (ids of the page), and whether their numbers are an answer.
  const all = {
    attention_as_alignment: [
      ["Change numbers so that “one” looks at itself most.", ["t5-1"], (weights) => largestAt(weights.slice(24, 30)) === 4],
    ],
    attention_by_hand: [
      ["Find a seed for which “journey” looks at “your” most.", ["t34-1"], (weights) => largestAt(weights) === 0],
    ],
    keys_queries_values: [
      ["Make the first word’s query give all three keys the same score, but not 0.", ["t39-1"],
        (scores) => scores[0] !== 0 && scores.every((score) => score === scores[0])],
    ],
    mathematical_trick: [
      ["Change one number of x so that the last mean of its first column is 0 in the fourth digit.", ["t6-1"],
        (means) => Math.abs(means.at(-2)) < 5e-5],
    ],
    self_attention_in_three_steps: [
      ["Make “light” ignore “switch”: less than 5 % of its attention.", ["t10-1"], (weights) => weights[29] < 0.05],
      ["Make “I” look at itself more than at all others together.", ["t10-1"], (weights) => weights[0] > 0.5],
    ],
  };

  const numbersOf = (id) => [...page.program.values[page.byId.get(id).tensor].values()];

  const draw = (question) => {
    const holds = question.holds(...question.ids.map(numbersOf));
    const isNews = holds !== question.held;
    question.held = holds;
    question.item.classList.toggle("answered", holds);
    question.state.textContent = holds ? "✓ Yes." : "Not yet.";
    if (isNews && holds) document.getElementById("say").textContent = `${question.text} Yes.`;
  };

  page.addQuestions = () => {
    const { slug } = document.querySelector("#computes").dataset;
    const questions = (all[slug] ?? []).map(([text, ids, holds]) => ({ text, ids, holds, held: false }))
      .filter(({ ids }) => ids.every((id) => page.byId.has(id)));
    if (questions.length === 0) return;
    for (const question of questions) {
      question.state = make("span", { class: "state" });
      question.item = make("li", { text: question.text });
      question.item.append(" ", question.state);
    }
    const box = make("section", { class: "questions", "aria-label": "Questions" },
      make("p", { text: "Try it:" }), make("ul", {}, ...questions.map(({ item }) => item)));
    document.getElementById("computes").after(box);
    questions.forEach(draw);
    document.addEventListener("drawn", () => questions.forEach(draw));
  };
}
