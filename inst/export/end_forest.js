  const predict = (row) => {
    const x = inputs.map((_, i) => read(row, i));
    const total = score[0].map(() => 0), votes = score[0].map(() => 0);
    for (const root of start) {
      const said = total.map(() => 0);
      walk(x, root, 1, (entry, part) => score[entry].forEach((s, k) => { said[k] += part * s; }));
      said.forEach((s, k) => { total[k] += s; });
      if (classes.length) votes[chosen(said)]++;
    }
    const prob = total.map((t) => t / start.length), share = votes.map((v) => v / start.length);
    if (!classes.length) return { response: prob[0], prob: null, votes: null };
    const at = @BY_VOTES@ ? best(share, 1 - 1e-12) : chosen(prob);
    return { response: classes[at], prob, votes: share };
  };
  predict.inputs = inputs;
  predict.classes = classes;
  return predict;
})();
