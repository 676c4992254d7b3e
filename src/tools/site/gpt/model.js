// Computes the GPT of examples/gpt (model.h, gpt.py) with trained weights, which weights.js has, and keeps what each step returns.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Scalar, tensor, made, add, divide, embedding, gelu, layerNorm, less, linear, maskedFill, matmul, mT, multinomial, narrow,
    reshape, select, softmax, topk, transpose } = engine;
  const { vocabulary, heads, layers, context, steps, weights: stored } = engine.gptWeights;

  const numbers = (base64) => new Float32Array(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer);
  const weights = Object.fromEntries(Object.entries(stored).map(([name, [shape, base64]]) => [name, tensor("float32", shape, numbers(base64))]));
  const channels = weights["tokens.weight"].shape[1];

  // Returns the words of a text. A full stop and a question mark are words.
  const wordsOf = (text) => text.toLowerCase().replace(/[,;:!"“”()]/g, " ").match(/[.?]|[^\s.?]+/g) ?? [];

  // Returns the output of each step for the ids of words, by the step's name, in the order of the steps. T is the number of words.
  const forward = (ids) => {
    const count = ids.length;
    const values = {};
    const keep = (name, value) => (values[name] = value);
    const norm = (name, x) => layerNorm(x, [channels], weights[`${name}.weight`], weights[`${name}.bias`], 1e-5);
    const layer = (name, x) => linear(x, weights[`${name}.weight`], weights[`${name}.bias`]);
    const future = made("bool", [count, count]); // (T, T)
    future.data.forEach((_, at) => { future.data[at] = at % count > Math.floor(at / count); });

    const block = (number, before) => {
      const [name, step] = [`blocks.${number}`, (what, value) => keep(`${number}.${what}`, value)];
      const qkv = layer(`${name}.attention.qkv`, step("norm1", norm(`${name}.norm1`, before))); // (T, 3 C)
      const [query, key, value] = ["query", "key", "value"].map((what, i) =>
        step(what, transpose(reshape(narrow(qkv, 1, i * channels, channels), [count, heads, -1]), 0, 1))); // (heads, T, C / heads)
      const scores = step("scores", divide(matmul(query, mT(key)), new Scalar(Math.sqrt(channels / heads), true))); // (heads, T, T)
      const looks = step("weights", softmax(step("masked", maskedFill(scores, future, new Scalar(-Infinity, true))), -1));
      const mixed = step("mixed", reshape(transpose(matmul(looks, value), 0, 1), [count, channels])); // (T, C)
      const x = step("found", add(before, step("projected", layer(`${name}.attention.out`, mixed))));
      const bent = step("bent", gelu(step("wide", layer(`${name}.mlp.0`, step("norm2", norm(`${name}.norm2`, x)))))); // (T, 4 C)
      return step("out", add(x, step("narrow", layer(`${name}.mlp.2`, bent))));
    };

    keep("ids", tensor("int64", [count], ids)); // (T)
    const token = keep("token", embedding(weights["tokens.weight"], values.ids)); // (T, C)
    let x = keep("sum", add(token, keep("position", narrow(weights["positions.weight"], 0, 0, count))));
    for (let number = 0; number < layers; ++number) x = block(number, x);
    keep("logits", linear(keep("norm", norm("norm", x)), weights["head.weight"])); // (T, vocabulary)
    return values;
  };

  // Returns how likely each word is to come after the word at a place. Only the `top` likeliest words are possible.
  const probabilities = ({ logits }, place, { temperature, top }) => {
    const scaled = divide(select(logits, 0, place), new Scalar(temperature, true));
    const least = topk(scaled, top)[0].values()[top - 1];
    return softmax(maskedFill(scaled, less(scaled, new Scalar(least, true)), new Scalar(-Infinity, true)), -1);
  };

  // Draws a word, as torch.multinomial does.
  const draw = (generator, probabilities) => multinomial(generator, probabilities, 1, false).item();

  const size = Object.values(weights).reduce((sum, { size: own }) => sum + own, 0);
  engine.gpt = { vocabulary, heads, layers, context, steps, channels, size, wordsOf, forward, probabilities, draw };
}
