// Regions, and the changes that move a row into another region.

// Where a row must lie to come to a node: by variable, in the order in which the path asks,
// {lower, upper, missing} for lower < x <= upper, or {codes, seen, byRank, missing} for levels.
// `seen` are the levels that training rows brought.
function narrowed(region, node, branch) {
  const variable = tree.variable[node];
  const old = region.get(variable) || wholeRange(variable);
  const now = Object.assign({}, old, { missing: old.missing && tree.usual[node] === branch });
  const kind = tree.kind[node];
  if (kind >= 4) {
    narrowLevels(now, node, branch);
  } else {
    const at = tree.breakAt[node] + branch;
    const lower = branch > 0 ? tree.breaks[at - 1] : -Infinity;
    const upper = branch < tree.kids[node] - 1 ? tree.breaks[at] : Infinity;
    if (now.codes) {
      const inside = (c) => c > lower && c <= upper;
      Object.assign(now, { codes: now.codes.filter(inside), seen: now.seen.filter(inside), byRank: true });
    } else {
      now.lower = Math.max(now.lower, lower);
      now.upper = Math.min(now.upper, upper);
    }
  }
  return new Map(region).set(variable, now);
}

// A level without training rows in the node goes where missing values go.
function narrowLevels(now, node, branch) {
  if (tree.kind[node] === 5) {
    now.codes = now.codes.filter((c) => c === branch + 1);
    now.seen = now.seen.filter((c) => c === branch + 1);
    return;
  }
  const to = new Map();
  for (let k = tree.levelAt[node]; k < tree.levelAt[node] + setSize(node); k++) {
    to.set(tree.level[k], tree.levelChild[k]);
  }
  now.codes = now.codes.filter((c) => (to.has(c) ? to.get(c) === branch : tree.usual[node] === branch));
  now.seen = now.seen.filter((c) => to.get(c) === branch);
}

function wholeRange(variable) {
  const levels = tree.columns[variable].levels;
  if (!levels) return { lower: -Infinity, upper: Infinity, missing: true };
  const codes = levels.map((_, k) => k + 1);
  return { codes, seen: codes, byRank: false, missing: true };
}

const regionOf = (node) => wayTo(node).slice(1).reduce(
  (region, i) => narrowed(region, tree.parent[i], tree.branch[i]), new Map());

// The leaves with another prediction, the nearest first: [{node, moves, distance}]. By the fewest
// changed columns, then the smallest sum of sizes, then the larger leaf.
function nearestChanges(row, value) {
  const size = tree.columns.map((column, j) => unitOfChange(column, row[j]));
  const largest = tree.task === "regression" ? tree.value.reduce((m, v) => Math.max(m, Math.abs(v)), 1) : 0;
  const other = (v) => (tree.task === "regression" ? Math.abs(v - value) > 1e-10 * largest : v !== value);
  const out = [];
  const stack = [[0, new Map()]];
  while (stack.length) {
    const [node, region] = stack.pop();
    if (!isLeaf(node)) {
      childrenOf(node).forEach((c, j) => stack.push([c, narrowed(region, node, j)]));
    } else if (tree.weight[node] > 0 && other(tree.value[node])) {
      const moves = [...region].filter(([j, condition]) => !holds(condition, row[j]));
      const distance = moves.reduce((sum, [j, c]) => sum + distanceTo(c, j, row[j], size[j]), 0);
      if (moves.length && distance < Infinity) out.push({ node, moves, distance });
    }
  }
  return out.sort((a, b) => a.moves.length - b.moves.length || a.distance - b.distance ||
    tree.weight[b.node] - tree.weight[a.node] || a.node - b.node);
}

// The unit of change.
function unitOfChange(column, x) {
  if (column.kind === "ordered") return Math.max(1, column.levels.length - 1);
  if (column.levels) return 1;
  if (column.deviation !== undefined) return column.deviation;
  const size = Math.max(column.largest, Number.isFinite(x) ? Math.abs(x) : 0);
  return size > 0 ? size : 1;
}

function holds(condition, x) {
  if (x === null || x === undefined) return condition.missing;
  if (condition.codes) return condition.codes.includes(x);
  return (condition.lower === -Infinity || x > condition.lower) && x <= condition.upper;
}

// From a missing or infinite value, all distances are equal.
function distanceTo(condition, variable, x, size) {
  const known = x !== null && x !== undefined;
  if (condition.codes) {
    if (!condition.codes.length) return Infinity;
    if (tree.columns[variable].kind !== "ordered" || !known) return 1;
    return Math.min(...condition.codes.map((c) => Math.abs(c - x))) / size;
  }
  if (!known || !Number.isFinite(x)) return 1;
  return (x > condition.upper ? x - condition.upper : condition.lower - x) / size;
}
