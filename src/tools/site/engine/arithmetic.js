// Computes element by element: broadcasting, promotion of dtypes, arithmetic, comparison and selection.
"use strict";
{
  const engine = globalThis.torchbook;
  const { Tensor, tensor, made, positions, checked, converted } = engine;

  // ------------------------------------------------------------ shapes

  // Returns the shape to which shapes are broadcast.
  const broadcastShape = (...shapes) => {
    const rank = Math.max(...shapes.map((shape) => shape.length));
    const result = new Array(rank).fill(1);
    for (const shape of shapes) {
      shape.forEach((length, i) => {
        const dim = rank - shape.length + i;
        if (length === 1 || length === result[dim]) return;
        if (result[dim] !== 1) throw new RangeError(`shapes [${shapes.join("] and [")}] do not fit`);
        result[dim] = length;
      });
    }
    return result;
  };

  // Returns a view of a tensor in a larger shape. Repeated dimensions have the stride 0.
  const expanded = (x, shape) => {
    const more = shape.length - x.rank;
    const strides = shape.map((length, dim) => {
      const own = dim - more;
      if (own < 0) return 0;
      if (x.shape[own] === length) return x.strides[own];
      if (x.shape[own] !== 1) throw new RangeError(`[${x.shape}] cannot be expanded to [${shape}]`);
      return 0;
    });
    return x.view(shape, strides);
  };

  // ------------------------------------------------------------ dtypes

  const order = ["bool", "int64", "float32", "float64"];
  const kind = (dtype) => order.indexOf(dtype === "float64" ? "float32" : dtype);
  const higher = (a, b) => (order.indexOf(a) >= order.indexOf(b) ? a : b);

  // A number of the program. `real` says whether it is a floating-point number.
  class Scalar {
    constructor(value, real) {
      this.value = value;
      this.dtype = typeof value === "boolean" ? "bool" : real ? "float32" : "int64";
    }
  }

  // Returns the dtype in which operands are computed. Those with dimensions decide; one without dimensions, and a
  // number even less, counts only if it is of a higher kind.
  const promoted = (...operands) => {
    const rank = (operand) => (operand instanceof Scalar ? 0 : operand.rank === 0 ? 1 : 2);
    let dtype = "bool";
    for (let level = 2, decided = false; level >= 0; --level) {
      for (const operand of operands) {
        if (rank(operand) === level && (!decided || kind(operand.dtype) > kind(dtype))) {
          dtype = higher(dtype, operand.dtype);
        }
      }
      decided ||= operands.some((operand) => rank(operand) === level);
    }
    return dtype;
  };

  // Returns an operand as a tensor. A number becomes a tensor without dimensions.
  const asTensor = (operand, dtype = operand.dtype) =>
    operand instanceof Tensor ? to(operand, dtype) : tensor(dtype, [], [operand.value]);

  const to = (x, dtype) => {
    if (x.dtype === dtype) return x;
    return tensor(dtype, x.shape, x.values());
  };

  // ------------------------------------------------------------ elements

  // Applies a function of one number to each element. `dtype` is that of the result.
  const unary = (x, compute, dtype = x.dtype) => {
    const result = made(dtype, x.shape);
    const values = x.values();
    for (let i = 0; i < values.length; ++i) result.data[i] = compute(values[i]);
    return result;
  };

  // Applies a function of two numbers. The memory of the result rounds to float32.
  const binary = (a, b, compute, dtype) => {
    const shape = broadcastShape(a.shape, b.shape);
    const result = made(dtype, shape);
    const left = expanded(a, shape).values();
    const right = expanded(b, shape).values();
    for (let i = 0; i < left.length; ++i) result.data[i] = compute(left[i], right[i]);
    checked(dtype, result.data);
    return result;
  };

  // Makes an operation of two operands of any kind. `kind` is the dtype of its result, if that is fixed.
  const arithmetic = (compute, { dtype: lowest = "bool", result } = {}) => (a, b) => {
    const dtype = higher(promoted(a, b), lowest);
    return binary(asTensor(a, dtype), asTensor(b, dtype), compute, result ?? dtype);
  };
  const comparison = (compute) => arithmetic((x, y) => Number(compute(x, y)), { result: "bool" });

  const multiply = arithmetic((x, y) => x * y);
  const divide = arithmetic((x, y) => x / y, { dtype: "float32" });

  // Adds `alpha` times the second operand. A kernel multiplies and adds with one rounding.
  const added = (sign) => (a, b, alpha = new Scalar(1, false)) => {
    const factor = sign * converted(alpha.value, promoted(a, b));
    return arithmetic((x, y) => x + factor * y)(a, b);
  };

  const floored = (x, y) => {
    const quotient = Math.floor(x / y);
    return y === 0 ? x / y : quotient;
  };
  // Python's remainder has the sign of the divisor.
  const remainderOf = (x, y) => {
    const rest = x % y;
    return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
  };
  const divideRounded = (a, b, mode) => {
    if (mode === null) return divide(a, b);
    return arithmetic(mode === "floor" ? floored : (x, y) => Math.trunc(x / y))(a, b);
  };

  const power = arithmetic((x, y) => (y === 2 ? x * x : y === 0.5 ? Math.sqrt(x) : x ** y));
  const orNaN = (pick) => (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : pick(x, y));

  // JavaScript has bitwise operators for 32 bits only.
  const ofBits = (compute) => (x, y) => {
    if (x !== (x | 0) || y !== (y | 0)) throw new RangeError(`the bits of ${x} and ${y} are not computed here`);
    return compute(x, y);
  };

  const maximum = arithmetic(orNaN(Math.max));
  const minimum = arithmetic(orNaN(Math.min));

  const negative = (x) => unary(x, (value) => (x.dtype === "int64" && value === 0 ? 0 : -value));

  // ------------------------------------------------------------ selection

  const where = (condition, a, b) => {
    const dtype = promoted(a, b);
    const [left, right] = [asTensor(a, dtype), asTensor(b, dtype)];
    const shape = broadcastShape(condition.shape, left.shape, right.shape);
    const result = made(dtype, shape);
    const [chosen, first, second] = [condition, left, right].map((one) => expanded(one, shape).values());
    for (let i = 0; i < chosen.length; ++i) result.data[i] = chosen[i] ? first[i] : second[i];
    return result;
  };

  const maskedFill = (x, mask, value) => {
    const shape = broadcastShape(x.shape, mask.shape);
    return where(mask, asTensor(value, x.dtype), expanded(x, shape));
  };

  const clamp = (x, low, high) => {
    let result = x;
    if (low !== null) result = maximum(result, low);
    if (high !== null) result = minimum(result, high);
    return result;
  };

  // Returns whether all elements are close, in float32 as LibTorch computes it.
  const allclose = (a, b, relative, absolute, nanEqual) => {
    const [left, right] = [a, b].map((x) => expanded(x, broadcastShape(a.shape, b.shape)).values());
    const round = a.dtype === "float32" ? Math.fround : Number;
    return left.every((x, i) => {
      const y = right[i];
      if (x === y || (nanEqual && Number.isNaN(x) && Number.isNaN(y))) return true;
      const allowed = round(absolute + Math.abs(round(relative * y)));
      const actual = Math.abs(round(x - y));
      return Number.isFinite(actual) && actual <= allowed;
    });
  };

  // Returns a tensor that has the elements of `written` at the places that a view shows of `whole`. `through` makes
  // the view, of any tensor of that shape.
  const inserted = (whole, written, through) => {
    const result = tensor(whole.dtype, whole.shape, whole.values());
    const places = through(new Tensor(whole.dtype, whole.shape, result.data));
    const values = expanded(to(written, whole.dtype), places.shape).values();
    positions(places.shape, places.strides, places.offset, (at, index) => { result.data[at] = values[index]; });
    return result;
  };

  Object.assign(engine, {
    Scalar, broadcastShape, expanded, promoted, asTensor, to, unary, binary, multiply, divide,
    divideRounded, power, maximum, minimum, negative, where, maskedFill, clamp, allclose, inserted,
    add: added(1),
    subtract: added(-1),
    remainder: arithmetic(remainderOf),
    floorDivide: arithmetic(floored),
    equal: comparison((x, y) => x === y),
    notEqual: comparison((x, y) => x !== y),
    less: comparison((x, y) => x < y),
    lessEqual: comparison((x, y) => x <= y),
    greater: comparison((x, y) => x > y),
    greaterEqual: comparison((x, y) => x >= y),
    logicalAnd: comparison((x, y) => x !== 0 && y !== 0),
    logicalOr: comparison((x, y) => x !== 0 || y !== 0),
    bitwiseAnd: arithmetic(ofBits((x, y) => x & y)),
    bitwiseOr: arithmetic(ofBits((x, y) => x | y)),
  });
}
