// A decision tree, written by the R package tectree. @NAME@(row) takes an object with the columns
// by name and returns {node, response, prob}. null is a missing value; dates and times are days and
// seconds since 1970 (UTC).
const @NAME@ = (() => {
  const inputs = [@INPUTS@], needed = [@NEEDED@], levels = [@LEVELS@];
  const classes = [@CLASSES@];
  // By node: its class, its shares (or its number), and the parts in which a row continues.
  const value = [@VALUE@];
  const score = [@SCORE@];
  const parts = {@PARTS@};
  const aims = [@AIM@];
  // The next node of each: itself if the row ends, 0 if it continues in parts.
  const next = {
@NEXT@
  };

  const read = (row, i) => {
    if (needed[i] && !Object.prototype.hasOwnProperty.call(row, inputs[i]))
      throw new Error("no column " + inputs[i]);
    const x = Object.prototype.hasOwnProperty.call(row, inputs[i]) ? row[inputs[i]] : null;
    if (x === null || x === undefined) return levels[i] ? 0 : NaN;
    if (levels[i]) return levels[i].indexOf(typeof x === "boolean" ? String(x).toUpperCase() : x) + 1;
    if (typeof x !== "number") throw new Error("not a number in column " + inputs[i]);
    return x;
  };

  const predict = (row) => {
    const x = inputs.map((_, i) => read(row, i));
    const sum = score[0].map(() => 0);
    let node = 0, largest = 0, ends = 0;
    const walk = (at, part) => {
      let to;
      while ((to = next[at] ? next[at](x) : at) !== at && to !== 0) at = to;
      if (to === 0) return parts[at].forEach(([child, share]) => walk(child, part * share));
      ends++;
      if (part > largest * (1 + 1e-12)) { largest = part; node = at; }
      score[at - 1].forEach((s, k) => { sum[k] += part * s; });
    };
    walk(1, 1);
    if (!classes.length) return { node, response: sum[0], prob: null };
    if (ends < 2) return { node, response: classes[value[node - 1]], prob: sum };
    const total = sum.reduce((a, b) => a + b, 0);
    const prob = sum.map((p) => p / total);
    const aim = prob.map((_, i) => prob.reduce((a, p, j) => a + p * aims[j][i], 0));
    const best = Math.max(...aim);
    return { node, response: classes[aim.findIndex((a) => a >= best * (@MARGIN@))], prob };
  };
  predict.inputs = inputs;
  predict.classes = classes;
  return predict;
})();
