// @MODEL@, written by the R package tectree. @NAME@(row) takes an object with the columns by name
// and returns one with @GIVES@.
// null is a missing value; dates and times are days and seconds since 1970 (UTC).
const @NAME@ = (() => {
  const inputs = [@INPUTS@], levels = [@LEVELS@], ordered = [@ORDERED@];
  const classes = [@CLASSES@];
  // By tree: its first node. By node, in pre-order: 0 in a leaf, otherwise the input from 1
  // (negative: missing values go right); the right child, or for a leaf its entry in score; what
  // goes left: numbers up to cut, or by level, from cut on: 1 left, 2 right, 0 neither.
  const start = [@START@];
  const split = [@INPUT@];
  const right = [@RIGHT@];
  const cut = [@CUT@];
  const side = [@SIDE@];
  // By node, if rows with a missing value stop: the entry of its prediction.
  const stop = [@STOP@];
  // By entry: the shares of a leaf (or its number), and its weight; then those of nodes where rows
  // stop.
  const score = [@SCORE@];
  const weight = [@WEIGHT@];
  // Missing values: 0 go to one side, 1 to both in parts, 2 stop.
  const unknown = @UNKNOWN@;
  const aims = [@AIM@];

@READ@

  // The weight of the leaves below a node.
  const below = (node) => {
    let last = node, total = 0;
    while (split[last] !== 0) last = right[last];
    for (let i = node; i <= last; i++) if (split[i] === 0) total += weight[right[i]];
    return total;
  };

  // Calls use(entry, part) for the nodes where a row ends.
  const walk = (x, node, part, use) => {
    while (split[node] !== 0) {
      const i = Math.abs(split[node]) - 1, v = x[i];
      let to = 0;
      if (!levels[i] || ordered[i]) to = v <= cut[node] ? 1 : v > cut[node] ? 2 : 0;
      else if (v >= 1) to = side[cut[node] + v - 1];
      if (to === 0 && unknown === 0) to = split[node] < 0 ? 2 : 1;
      if (to === 0) {
        if (unknown === 2) return use(stop[node], part);
        const all = below(node);
        return [node + 1, right[node]].forEach((child) => {
          const share = below(child) / all;
          if (share > 0) walk(x, child, part * share, use);
        });
      }
      node = to === 1 ? node + 1 : right[node];
    }
    return use(right[node], part);
  };

  const best = (x, margin) => {
    const least = Math.max(...x) * margin;
    return x.findIndex((v) => v >= least);
  };

  // The class chosen by the shares.
  const chosen = (prob) => {
    return best(prob.map((_, i) => prob.reduce((a, p, j) => a + p * aims[j][i], 0)), @MARGIN@);
  };

@END@
