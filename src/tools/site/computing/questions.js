// Checks the questions of the page by computing (questions/questions.h says how they are asked).
"use strict";
{
  const { page } = globalThis.torchbook;

  // Returns the numbers of a part of a tensor.
  const numbersOf = ({ of, at }) => {
    const values = page.program.values[page.byId.get(of).tensor].values();
    return at.map((index) => Number(values[index]));
  };

  const total = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
  const ofParts = {
    argmax: (numbers) => numbers.indexOf(Math.max(...numbers)),
    max: (numbers) => Math.max(...numbers),
    min: (numbers) => Math.min(...numbers),
    sum: total,
    mean: (numbers) => total(numbers) / numbers.length,
  };
  const ofNumbers = {
    abs: Math.abs,
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "/": (left, right) => left / right,
    and: (left, right) => left && right,
    or: (left, right) => left || right,
    not: (one) => !one,
  };
  const ofFloats = {
    "==": (left, right) => left === right,
    "!=": (left, right) => left !== right,
    "<": (left, right) => left < right,
    "<=": (left, right) => left <= right,
    ">": (left, right) => left > right,
    ">=": (left, right) => left >= right,
  };

  // Returns the value of an expression.
  const valueOf = (expression) => {
    if (typeof expression === "number") return expression;
    if (!Array.isArray(expression)) return numbersOf(expression)[0];
    const [name, ...operands] = expression;
    if (ofParts[name]) return ofParts[name](numbersOf(operands[0]));
    const values = operands.map(valueOf);
    return ofFloats[name] ? ofFloats[name](...values.map(Math.fround)) : ofNumbers[name](...values);
  };

  // Returns why the changes of the page are not those that a question allows, or an empty text. Elements are compared by
  // their memory, because a change of a view is one of the tensor that it shows.
  const faultOf = ({ allowed: { most, parts, seeds } }) => {
    const placesOf = ({ of, at }) => at.map((index) => page.sourceOf(page.byId.get(of), index).join());
    const places = new Set(parts.flatMap(placesOf));
    const nodes = new Set(seeds.map((seed) => page.seeded()[seed]));
    const changes = page.changes();
    const isOther = changes.numbers.some(([tensor, index]) => !places.has(`${tensor},${index}`)) ||
      changes.seeds.some(([node]) => !nodes.has(node));
    if (isOther) return "Not yet: something else was changed, too.";
    const count = changes.numbers.length + changes.seeds.length;
    return most !== null && count > most ? `Not yet: ${count} changes, and ${most} may be made.` : "";
  };

  const draw = (question) => {
    const holds = valueOf(question.check);
    const fault = holds ? faultOf(question) : "";
    const isAnswered = holds && fault === "";
    const isNews = isAnswered && !question.isAnswered;
    question.isAnswered = isAnswered;
    question.item.classList.toggle("answered", isAnswered);
    question.state.textContent = isAnswered ? "✓ Yes." : fault || "Not yet.";
    if (isNews) document.getElementById("say").textContent = `${question.item.querySelector("p").firstChild.data} Yes.`;
  };

  const read = (item) => {
    const [allowed, check] = [item.dataset.allowed, item.dataset.check].map((text) => JSON.parse(text));
    const state = item.querySelector(".state");
    item.querySelector(".apply").addEventListener("click", () => {
      page.apply(item.dataset.answer.split("&").map((change) => change.trim()));
      page.sayChanges();
    });
    return { item, state, allowed, check, isAnswered: false };
  };

  const idsIn = (value) => (Array.isArray(value) ? value.flatMap(idsIn) : value?.of ? [value.of] : []);

  const hasNumbers = (id) => page.byId.has(id) && page.program.values[page.byId.get(id).tensor] !== null;

  page.addQuestions = () => {
    const questions = [...document.querySelectorAll(".question")].map(read)
      .filter(({ check, allowed }) => [...idsIn(check), ...idsIn(allowed.parts)].every(hasNumbers));
    const news = document.createElement("a");
    news.href = "#questions";
    document.querySelector(".changes p").append(" ", news);
    const drawAll = () => {
      questions.forEach(draw);
      const answered = questions.flatMap(({ isAnswered }, i) => (isAnswered ? [i + 1] : []));
      news.hidden = answered.length === 0;
      news.textContent = `✓ That answers question ${answered.join(" and ")}.`;
    };
    drawAll();
    document.addEventListener("drawn", drawAll);
  };
}
