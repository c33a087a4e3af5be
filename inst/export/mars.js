// Regression splines, written by the R package tectree. @NAME@(row) takes an object with the columns
// by name and returns {response, prob}, the latter for classes. null is a missing value; dates and
// times are days and seconds since 1970 (UTC). A row with a missing value or an unseen label in an
// input has the response null (for numbers NaN).
const @NAME@ = (() => {
  const inputs = [@INPUTS@], levels = [@LEVELS@];
  const classes = [@CLASSES@];
  // Term t is the product of the factors from[t] to from[t + 1] - 1. A factor has an input; the
  // level that it indicates, or 0; its side (1 above the knot, -1 below, 2 the input itself); and
  // the knot.
  const from = [@FROM@];
  const input = [@INPUT@];
  const level = [@LEVEL@];
  const side = [@SIDE@];
  const knot = [@KNOT@];
  // By term; one column per sum. The classes of the sums, or of the opposite of the only sum and
  // the sum.
  const coefficients = [@COEF@];
  const at = [@AT@];

@READ@
  const total = (x) => x.reduce((a, b) => a + b, 0);
  const oddsOf = (x) => 1 / (1 + Math.exp(-x));

  const predict = (row) => {
    const x = inputs.map((_, i) => read(row, i));
    if (x.some((v) => Number.isNaN(v))) {
      return classes.length ? { response: null, prob: classes.map(() => NaN) } : { response: NaN, prob: null };
    }
    const sums = coefficients[0].map(() => 0);
    coefficients.forEach((own, t) => {
      let b = 1;
      for (let f = from[t]; f < from[t + 1]; f++) {
        const v = level[f] > 0 ? Number(x[input[f]] === level[f]) : x[input[f]];
        b *= side[f] === 2 ? v : Math.max(0, side[f] * (v - knot[f]));
      }
      own.forEach((c, k) => { sums[k] += b * c; });
    });
    if (!classes.length) return { response: sums[0], prob: null };
    const one = sums.length === 1, aim = one ? [0, sums[0]] : sums;
    let odds = one ? [oddsOf(-sums[0]), oddsOf(sums[0])] : sums.map(oddsOf);
    if (total(odds) === 0) odds = aim.map((a) => Math.exp(a - Math.max(...aim)));
    const prob = classes.map(() => 0);
    at.forEach((k, i) => { prob[k] = odds[i] / total(odds); });
    return { response: classes[at[aim.indexOf(Math.max(...aim))]], prob };
  };
  predict.inputs = inputs;
  predict.classes = classes;
  return predict;
})();
