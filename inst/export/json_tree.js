// Predicts with a tree that tec_json() of the R package tectree wrote:
//   const predict = tree_predictor(text);
//   predict({"Petal.Length": 1.4, "Petal.Width": null}).response
// null is a missing value; dates and times are days and seconds since 1970 (UTC).
function tree_predictor(text) {
  const tree = JSON.parse(text), nodes = tree.nodes;
  const classes = tree.task === "classification" ? tree.response.levels : [];
  const needed = new Set(nodes.map((n) => n.column).filter((name) => name !== undefined));
  const add = (numbers) => numbers.reduce((a, b) => a + b, 0);

  // The child that a split sends a row to, or null.
  const branch = (split, row) => {
    const there = Object.prototype.hasOwnProperty.call(row, split.column);
    if (!there && needed.has(split.column)) throw new Error("no column " + split.column);
    let x = there ? row[split.column] : null;
    if (x === null || x === undefined) return null;
    if (split.breaks) {
      if (Number.isNaN(x)) return null;
      const at = split.breaks.findIndex((b) => x <= b);
      return split.children[at < 0 ? split.breaks.length : at];
    }
    if (typeof x === "boolean") x = String(x).toUpperCase();
    const at = split.groups.findIndex((g) => g.includes(x));
    return at < 0 ? null : split.children[at];
  };

  // The nodes that a row goes on to, with its shares; none where it ends.
  const onward = (at, row) => {
    const node = nodes[at - 1];
    if (node.column === undefined) return [];
    for (const split of [node, ...(tree.surrogates && node.surrogates || [])]) {
      const to = branch(split, row);
      if (to !== null) return [[to, 1]];
    }
    if (tree.missing === "branch") return [[node.default, 1]];
    const total = add(node.children.map((c) => nodes[c - 1].weight));
    if (tree.missing === "stop" || total <= 0) return [];
    return node.children.filter((c) => nodes[c - 1].weight > 0).map((c) => [c, nodes[c - 1].weight / total]);
  };

  const predict = (row) => {
    const ends = [];
    const walk = (at, part) => {
      const to = onward(at, row);
      if (to.length === 0) ends.push([at, part]);
      to.forEach(([child, share]) => walk(child, part * share));
    };
    walk(1, 1);
    let [end, largest] = ends[0];
    for (const [at, part] of ends) if (part > largest * (1 + 1e-12)) [end, largest] = [at, part];
    if (!classes.length) {
      return { node: end, response: add(ends.map(([at, p]) => p * nodes[at - 1].value)), prob: null };
    }
    const node = nodes[end - 1];
    if (ends.length === 1) return { node: end, response: node.value, prob: node.prob };
    let prob = classes.map((_, k) => add(ends.map(([at, p]) => p * nodes[at - 1].prob[k])));
    prob = prob.map((p) => p / add(prob));
    const aim = tree.cost ? prob.map((_, k) => -add(prob.map((p, j) => p * tree.cost[j][k]))) : prob;
    const bound = Math.max(...aim) * (tree.cost ? 1 + 1e-12 : 1 - 1e-12);
    return { node: end, response: classes[aim.findIndex((a) => a >= bound)], prob };
  };
  return predict;
}
