// Predicts with a model that tec_json() of the R package tectree wrote:
//   const predict = tree_predictor(text);
//   predict({"Petal.Length": 1.4, "Petal.Width": null}).response
// null is a missing value; dates and times are days and seconds since 1970 (UTC).
function tree_predictor(text) {
  const tree = JSON.parse(text);
  return tree.trees ? forest_predictor(tree) : one_tree(tree);
}

function forest_predictor(forest) {
  const classes = forest.task === "classification" ? forest.response.levels : [];
  const link = forest.link, numbers = link && link.output;
  const trees = forest.trees.map((t) => one_tree(Object.assign({}, forest, {
    cost: undefined, surrogates: false, nodes: nodes_of(t, forest.columns, numbers ? [] : classes),
    task: numbers ? "regression" : forest.task,
  })));
  const used = new Set(forest.trees.flatMap((t) => t.column).filter((c) => c > 0));
  const needed = [...used].map((c) => forest.columns[c - 1].name);
  const add = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const best = (x, margin) => x.findIndex((v) => v >= Math.max(...x) * margin);
  // The class chosen by the shares.
  const chosen = (prob) => {
    if (!forest.cost) return best(prob, 1 - 1e-12);
    return best(classes.map((_, k) => -add(prob.map((p, j) => p * forest.cost[j][k]))), 1 + 1e-12);
  };
  // The classes of a boosted model: each tree adds its number to a sum, or votes.
  const linked = (said) => {
    const before = classes.length - link.base.length;
    const sums = classes.map((_, k) => (k < before ? 0 : link.base[k - before]));
    said.forEach((s, i) => {
      if (numbers) sums[link.output[i] - 1 + before] += s.response;
      else sums[chosen(s.prob)] += link.vote[i];
    });
    const most = Math.max(...sums), odds = sums.map((s) => Math.exp((s - most) / link.scale));
    return { response: classes[sums.indexOf(most)], prob: odds.map((o) => o / add(odds)), link: sums };
  };

  return (row) => {
    needed.forEach((name) => {
      if (!Object.prototype.hasOwnProperty.call(row, name)) throw new Error("no column " + name);
    });
    const said = trees.map((tree) => tree(row)), n = said.length;
    if (link) return linked(said);
    if (!classes.length) return { response: add(said.map((s) => s.response)) / n, prob: null };
    const prob = classes.map((_, k) => add(said.map((s) => s.prob[k])) / n);
    const votes = classes.map(() => 0);
    said.forEach((s) => { votes[chosen(s.prob)] += 1 / n; });
    const at = forest.class_by === "votes" ? best(votes, 1 - 1e-12) : chosen(prob);
    return { response: classes[at], prob, votes };
  };
}

// The nodes of one tree of a forest, in the format of a single tree.
function nodes_of(tree, columns, classes) {
  let inner = 0, leaf = 0;
  const nodes = tree.column.map((number, i) => {
    if (number === 0) {
      const value = tree.value[leaf], weight = tree.weight[leaf++];
      if (!classes.length) return { weight, value };
      return { weight, prob: Array.isArray(value) ? value : classes.map((_, k) => (k === value - 1 ? 1 : 0)) };
    }
    const column = columns[number - 1], split = tree.split[inner];
    const node = { column: column.name, default: tree.default[inner], children: [i + 2, tree.right[inner]] };
    if (tree.inner_value) node.own = tree.inner_value[inner];
    inner++;
    if (column.kind === "numeric") node.breaks = [split];
    else if (column.kind === "ordered") node.groups = [column.levels.slice(0, split), column.levels.slice(split)];
    else node.groups = split.map((side) => side.map((k) => column.levels[k - 1]));
    return node;
  });
  for (let i = nodes.length; i-- > 0;) {
    const node = nodes[i];
    if (node.children) {
      const below = node.children.map((c) => nodes[c - 1]);
      node.weight = below[0].weight + below[1].weight;
      const part = below.map((b) => (node.weight > 0 ? b.weight / node.weight : 0.5));
      const mean = (get) => part[0] * get(below[0]) + part[1] * get(below[1]);
      if (classes.length) node.prob = classes.map((_, k) => mean((b) => b.prob[k]));
      else node.value = mean((b) => b.value);
    }
    if (classes.length) node.value = classes[node.prob.indexOf(Math.max(...node.prob))];
  }
  nodes.filter((node) => node.own !== undefined).forEach((node) => {
    if (classes.length) node.prob = node.own;
    else node.value = node.own;
  });
  return nodes;
}

function one_tree(tree) {
  const nodes = tree.nodes;
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

  // The nodes where a row continues, with its shares; none if it ends.
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
