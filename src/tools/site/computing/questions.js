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
    inf: () => Infinity,
    said: (value) => value,
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
    const values = (name === "said" ? [operands[1]] : operands).map(valueOf);
    return ofFloats[name] ? ofFloats[name](...values.map(Math.fround)) : ofNumbers[name](...values);
  };

  // Returns the sides of a condition's comparisons.
  const sidesIn = (condition) => {
    if (!Array.isArray(condition)) return [];
    const [name, ...operands] = condition;
    if (name !== "said") return operands.flatMap(sidesIn);
    const [text, side, mayBeInfinite = false] = operands;
    const value = Math.fround(valueOf(side));
    return [{ said: `${text} is ${page.general(value, 6)}`, isTaken: mayBeInfinite || Number.isFinite(value) }];
  };

  const joinedByAnd = (condition) => (condition[0] === "and" ? condition.slice(1).flatMap(joinedByAnd) : [condition]);

  const asked = { "==": "equal to", "!=": "other than", "<": "below", "<=": "at most", ">": "above", ">=": "at least" };

  // Returns what a part of a condition that does not hold has now, and what it should have.
  const missOf = (condition) => {
    const sides = sidesIn(condition).map(({ said }) => said);
    const [name, left, right] = condition;
    if (!asked[name] || left[0] !== "said" || left[2] === undefined) return sides;
    const other = right[0] === "said" ? right[1] : page.general(right, 6);
    return [`${sides[0]}, and should be ${asked[name]} ${other}${sides[1] ? `, which is ${sides[1].slice(other.length + " is ".length)}` : ""}`];
  };

  // Returns why a condition does not hold, as sentences.
  const missesOf = (check) => {
    const untaken = sidesIn(check).filter(({ isTaken }) => !isTaken);
    const missed = untaken.length > 0 ? untaken.map(({ said }) => said) : joinedByAnd(check).filter((one) => !valueOf(one)).flatMap(missOf);
    const said = [...new Set(missed)].join(", ");
    return [said && `${said}.`, untaken.length > 0 && "A finite number is asked for."].filter(Boolean);
  };

  // Returns why the changes of the page are not those that a question allows, as sentences, and whether one of them is. Elements
  // are compared by their memory, because a change of a view is one of the tensor that it shows.
  const allowedIn = ({ allowed: { most, parts, seeds } }) => {
    const placesOf = ({ of, at }) => at.map((index) => page.sourceOf(page.byId.get(of), index).join());
    const places = new Set(parts.flatMap(placesOf));
    const nodes = new Set(seeds.map((seed) => page.seeded()[seed]));
    const changes = page.changes();
    const numbers = changes.numbers.filter(([tensor, index]) => !places.has(`${tensor},${index}`));
    const others = changes.seeds.filter(([node]) => !nodes.has(node));
    const other = numbers.length > 0 ? page.nameOf(...numbers[0]) : others.length > 0 && "A seed";
    const count = changes.numbers.length + changes.seeds.length;
    const isMore = most !== null && count > most;
    return {
      faults: [other && `${other} was changed, and may not be.`, isMore && `${count} changes were made, and ${most} may be.`].filter(Boolean),
      isBegun: count > numbers.length + others.length,
    };
  };

  // Returns the fault of a question: its condition holds when the page is opened, or does not hold with its answer.
  const mistakeOf = ({ answer }, holds) => {
    const changes = page.inAddress();
    if (holds && changes.length === 0) return "The question has a mistake: its condition holds before anything is changed.";
    return !holds && changes.join() === answer.join() && "The question has a mistake: its answer does not hold.";
  };

  let shown = null; // the item whose answer the page shows
  let mine = []; // the reader's changes before that

  const draw = (question) => {
    const { faults, isBegun } = allowedIn(question);
    const reasons = [...missesOf(question.check), ...faults];
    const holds = reasons.length === 0 && valueOf(question.check);
    const mistake = mistakeOf(question, holds);
    const isAnswered = holds && !mistake;
    const isNews = isAnswered && !question.isAnswered;
    const wasAnswered = question.wasAnswered || (isAnswered && shown === null);
    Object.assign(question, { isAnswered, wasAnswered, reason: isBegun && !isAnswered && reasons.join(" ") });
    question.item.classList.toggle("answered", isAnswered);
    question.state.classList.toggle("error", Boolean(mistake));
    const verdict = mistake || (wasAnswered ? "✓ Answered before, and not with the numbers of now." : "Not yet.");
    question.state.textContent = isAnswered ? "✓ Yes." : [verdict, ...reasons].join(" ");
    if (isNews) document.getElementById("say").textContent = `${question.item.querySelector("p").firstChild.data} Yes.`;
  };

  // ------------------------------------------------------------ answers that are looked up

  const nameButtons = () => {
    if (shown && page.inAddress().join() === mine.join()) shown = null; // undone
    for (const item of document.querySelectorAll(".question"))
      item.querySelector(".apply").textContent = item === shown ? "Back to mine" : "Make these changes";
  };

  // Shows the answer, or the reader's own changes if it is shown.
  const turn = (item) => {
    const isBack = item === shown;
    if (shown === null) mine = page.inAddress();
    shown = isBack ? null : item;
    page.apply(isBack ? mine : item.dataset.answer.split("&"));
    nameButtons();
    page.sayChanges();
  };

  const read = (item) => {
    const [allowed, check] = [item.dataset.allowed, item.dataset.check].map((text) => JSON.parse(text));
    const state = item.querySelector(".state");
    item.querySelector(".apply").addEventListener("click", () => turn(item));
    return { item, state, allowed, check, answer: page.asMade(item.dataset.answer.split("&")), isAnswered: false };
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
      nameButtons();
      questions.forEach(draw);
      const answered = questions.flatMap(({ isAnswered }, i) => (isAnswered ? [i + 1] : []));
      const begun = questions.findIndex(({ reason }) => reason);
      news.textContent = [answered.length > 0 && `✓ That answers question ${answered.join(" and ")}.`,
        begun >= 0 && `Question ${begun + 1}: ${questions[begun].reason}`].filter(Boolean).join(" ");
      news.hidden = news.textContent === "";
    };
    drawAll();
    document.addEventListener("drawn", drawAll);
  };
}
