// Lets a reader type words where the notebook made ids of words: the ids follow, and all that the words name.
"use strict";
{
  const { page, make, numberIn } = globalThis.torchbook;
  const most = 64; // words of a field
  const mostNamed = 12; // words of a message
  const shown = new Map([[" ", "␣"], ["\n", "⏎"], ["\t", "⇥"], [",", "，"]]); // words.py leads

  const byValue = () => (page.wordsByValue ??= new Map(page.program.words.map((one) => [one.value, one])));

  // Writes the words into the heads of tables that name entries by ids.
  page.nameEntries = () => {
    for (const head of document.querySelectorAll("th[data-word]")) {
      const [value, index] = head.dataset.word.split(".").map(Number);
      const { tensor, words } = byValue().get(value);
      const word = words[Number(page.program.values[tensor].values()[index])] ?? "?";
      if (head.textContent !== word) head.textContent = word;
    }
  };

  // Returns the words of which the entries of a picture are ids, or undefined.
  const wordsOf = ({ tensor }) => page.program.words.find((one) => one.tensor === tensor)?.words;

  const areLetters = (words) => words.every((word) => [...word].length === 1);

  // Returns what a typed text is as an entry of a picture, as numberIn() does. An id is one of a word.
  page.entryIn = (text, picture) => {
    const read = numberIn(text, picture.dtype);
    const words = wordsOf(picture);
    if (!words || read.problem) return read;
    const isId = /^\s*\d+\s*$/.test(text) && read.number < words.length;
    return isId ? read : { problem: `An id is a whole number from 0 to ${words.length - 1}: that of ${words.slice(0, mostNamed).join(" ")}.` };
  };

  // Returns the number nearest to another one that an entry of a picture may have.
  page.allowed = (number, picture) => {
    const words = wordsOf(picture);
    return words ? Math.min(Math.max(number, 0), words.length - 1) : number;
  };

  // Returns the ids of a text, or why it has none.
  const idsIn = (text, words, count) => {
    const byLetter = areLetters(words);
    const visible = (part) => [...part].map((one) => shown.get(one) ?? one).join("");
    const marks = words.filter((word) => /^[^\p{L}\p{N}]$/u.test(word));
    const apart = (one) => (marks.includes(visible(one)) ? ` ${one} ` : one);
    const parts = (byLetter ? [...text] : [...text].map(apart).join("").split(/\s+/).filter(Boolean)).map(visible);
    const plain = (part) => [part, part.toLowerCase(), part.replace(/[.,!?]+$/, ""), part.toLowerCase().replace(/[.,!?]+$/, "")];
    const known = byLetter ? parts : parts.map((part) => plain(part).find((one) => words.includes(one)) ?? part);
    const unknown = known.find((part) => !words.includes(part));
    const noun = byLetter ? "letter" : "word";
    if (unknown !== undefined) {
      const more = words.length > mostNamed ? ` and ${words.length - mostNamed} more` : "";
      return { problem: `“${unknown}” is no ${noun} of this notebook, which has ${words.slice(0, mostNamed).join(byLetter ? " " : ", ")}${more}.` };
    }
    if (known.length === count) return { ids: known.map((part) => words.indexOf(part)) };
    return { problem: `Type ${count} ${noun}s, as the notebook has; these are ${known.length}.` };
  };

  const addField = ({ tensor, words }) => {
    const picture = page.pictures.find((one) => one.tensor === tensor && one.box.dataset.computed);
    const count = page.program.values[tensor]?.size ?? 0;
    if (!picture || count > most) return;
    const textNow = () => {
      const all = [...page.program.values[tensor].values()].map((id) => words[Number(id)] ?? "?");
      return areLetters(words) ? all.join("").replaceAll("␣", " ") : all.join(" ").replaceAll("，", ",");
    };
    const input = make("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", id: `words-${picture.id}` });
    const problem = page.problemOf(input);
    const box = make("p", { class: "seed words-field" }, make("label", { for: input.id, text: "Words" }), input, problem.box);
    picture.box.closest(".cell").querySelector(".code").after(box);
    input.value = textNow();
    input.size = Math.max(input.value.length + 4, 12);
    input.addEventListener("keydown", (event) => event.stopPropagation());
    input.addEventListener("input", () => {
      const { ids, problem: why } = idsIn(input.value, words, count);
      if (why) return problem.show(why);
      problem.hide();
      page.setAll(picture, ids, `words.${picture.id}`);
    });
    input.addEventListener("change", () => {
      page.settle();
      page.sayChanges();
    });
    document.addEventListener("changes", () => {
      const first = idsIn(input.value, words, count).ids?.join();
      if (first === [...page.program.values[tensor].values()].map(Number).join()) return;
      input.value = textNow();
      problem.hide();
    });
  };

  page.addWords = () => page.program.words.forEach(addField);
}
