  // By tree: the sum that it adds to, or its vote; the initial sums.
  const output = [@OUTPUT@];
  const vote = [@VOTE@];
  const base = [@BASE@];

  const predict = (row) => {
    const x = inputs.map((_, i) => read(row, i));
    const link = base.slice();
    start.forEach((root, t) => {
      const said = score[0].map(() => 0);
      walk(x, root, 1, (entry, part) => score[entry].forEach((s, k) => { said[k] += part * s; }));
      if (@BY_VOTES@) link[chosen(said)] += vote[t];
      else link[output[t]] += said[0];
    });
    // The only sum of two classes is that of the second; the first has 0.
    const sums = link.length === 1 ? [0, link[0]] : link;
    const at = best(sums, 1);
    const odds = sums.map((s) => Math.exp((s - sums[at]) / @SCALE@));
    const total = odds.reduce((a, b) => a + b, 0);
    return { response: classes[at], prob: odds.map((o) => o / total), link };
  };
  predict.inputs = inputs;
  predict.classes = classes;
  return predict;
})();
