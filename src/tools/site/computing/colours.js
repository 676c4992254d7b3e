// Colours and writes the entries of tables as the build does: colour_scale.cpp and tensor.cpp lead, and
// tests/tools/site/browser/computing.mjs compares.
//
// The scripts of this folder let a reader change the numbers of a page. They share the object `torchbook.page`.
"use strict";
{
  const page = (globalThis.torchbook.page = {});

  const blues = [[247, 251, 255], [198, 219, 239], [158, 202, 225], [107, 174, 214], [33, 113, 181], [8, 48, 107]];
  const oranges = [[255, 245, 235], [253, 208, 162], [253, 174, 107], [241, 105, 19], [217, 72, 1], [127, 39, 4]];
  const grey = [189, 189, 189];

  const at = (ramp, part) => {
    const place = Math.min(Math.max(part, 0), 1) * (ramp.length - 1);
    const step = Math.min(Math.floor(place), ramp.length - 2);
    return ramp[step].map((from, i) => Math.round(from + (place - step) * (ramp[step + 1][i] - from)));
  };

  const luminance = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = colour.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  const css = (colour) => "#" + colour.map((part) => part.toString(16).padStart(2, "0")).join("");

  // Returns the colours of a tensor's values.
  page.scaleOf = (values) => {
    const finite = values.filter(Number.isFinite);
    let lowest = finite.length > 0 ? Math.min(...finite) : 0;
    let highest = finite.length > 0 ? Math.max(...finite) : 0;
    if (highest - lowest <= 1e-5 * Math.max(Math.abs(lowest), Math.abs(highest))) highest = lowest;
    const diverges = lowest < 0 && highest > 0;
    if (diverges) {
      highest = Math.max(-lowest, highest);
      lowest = -highest;
    }
    const parts = (value) => {
      if (!Number.isFinite(value)) return grey;
      if (diverges) return at(value < 0 ? oranges : blues, Math.abs(value) / highest);
      return highest === lowest ? blues[0] : at(blues, (value - lowest) / (highest - lowest));
    };
    const colour = (value) => css(parts(value));
    const steps = (blues.length - 1) * (diverges ? 2 : 1); // of the legend: from colour to colour of the ramps
    return {
      lowest,
      highest,
      colour,
      ramp: () => Array.from({ length: steps + 1 }, (_, i) => colour(lowest + (i / steps) * (highest - lowest))),
      ink: (value) => (luminance(parts(value)) > 0.179 ? "#000000" : "#ffffff"),
    };
  };

  // Writes a number as C's "%.4g" does.
  page.general = (value, digits = 4) => {
    if (!Number.isFinite(value)) return globalThis.torchbook.floatText(value);
    if (value === 0) return Object.is(value, -0) ? "-0" : "0";
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const power = Number(exponent);
    const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
    if (power >= -4 && power < digits) return short(value.toFixed(digits - 1 - power));
    return `${short(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  };
}
