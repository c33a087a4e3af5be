"use strict";
// The tree, where a row goes in it, and what is predicted. Nodes count from 0 here and from 1 on
// the page. A row is an array with a number or the code of a level (from 1) for each column, null
// where the value is missing.

const tree = readTree(JSON.parse(document.getElementById("tree-data").textContent));

function readTree(d) {
  const size = d.kind.length;
  const t = Object.assign(d, {
    size, childAt: new Int32Array(size), parent: new Int32Array(size).fill(-1),
    branch: new Int32Array(size), depth: new Int32Array(size), breakAt: new Int32Array(size),
    levelAt: new Int32Array(size), surrogateAt: new Int32Array(size), leaves: new Int32Array(size),
  });
  let child = 0, breaks = 0, level = 0, sets = 0, surrogate = 0;
  for (let i = 0; i < size; i++) {
    t.childAt[i] = child;
    t.breakAt[i] = breaks;
    t.levelAt[i] = level;
    t.surrogateAt[i] = surrogate;
    for (let j = 0; j < d.kids[i]; j++) {
      const to = d.child[child + j] - 1;
      t.parent[to] = i;
      t.branch[to] = j;
      t.depth[to] = t.depth[i] + 1;
    }
    child += d.kids[i];
    if (d.kind[i] >= 1 && d.kind[i] <= 3) breaks += d.kids[i] - 1;
    if (d.kind[i] === 4) level += d.setSize[sets++];
    if (d.surrogates) surrogate += d.surrogates.count[i];
  }
  for (let i = size; i-- > 0;) {
    if (d.kind[i] === 0) t.leaves[i] = 1;
    if (i > 0) t.leaves[t.parent[i]] += t.leaves[i];
  }
  if (d.surrogates) readSurrogates(d.surrogates);
  t.classes = t.classes || [];
  t.weight = t.weight || t.n;
  return t;
}

function readSurrogates(s) {
  s.levelAt = [];
  let at = 0;
  s.setSize.forEach((n) => {
    s.levelAt.push(at);
    at += n;
  });
}

const isLeaf = (node) => tree.kind[node] === 0;
const childOf = (node, branch) => tree.child[tree.childAt[node] + branch] - 1;
const childrenOf = (node) =>
  Array.from({ length: tree.kids[node] }, (_, j) => childOf(node, j));

function wayTo(node) {
  const way = [];
  for (let i = node; i >= 0; i = tree.parent[i]) way.unshift(i);
  return way;
}

// The branch of a level out of a set: the codes present in training ascend.
function branchOfLevel(codes, branches, at, count, code) {
  for (let k = at; k < at + count; k++) if (codes[k] === code) return branches[k];
  return -1;
}

const setSize = (node) => (node + 1 < tree.size ? tree.levelAt[node + 1] : tree.level.length) -
  tree.levelAt[node];

// -1: the value is missing, or of a level that the node never saw.
function branchOf(node, row) {
  const x = row[tree.variable[node]];
  if (x === null || x === undefined) return -1;
  const kind = tree.kind[node];
  if (kind === 5) return x <= tree.kids[node] ? x - 1 : -1;
  if (kind === 4) return branchOfLevel(tree.level, tree.levelChild, tree.levelAt[node], setSize(node), x);
  let j = 0;
  while (j < tree.kids[node] - 1 && !(x <= tree.breaks[tree.breakAt[node] + j])) j++;
  return j;
}

function branchOfSurrogate(k, row) {
  const s = tree.surrogates;
  const x = row[s.variable[k]];
  if (x === null || x === undefined) return -1;
  const branch = s.kind[k] === 4
    ? branchOfLevel(s.level, s.levelChild, s.levelAt[k], s.setSize[k], x)
    : x <= s.cut[k] ? 0 : 1;
  return branch >= 0 && s.flipped[k] ? 1 - branch : branch;
}

// Where a row at an inner node goes: {branch, by, surrogate}.
function onward(node, row) {
  const branch = branchOf(node, row);
  if (branch >= 0) return { branch, by: "value" };
  if (tree.surrogates) {
    const first = tree.surrogateAt[node];
    for (let k = first; k < first + tree.surrogates.count[node]; k++) {
      const other = branchOfSurrogate(k, row);
      if (other >= 0) return { branch: other, by: "surrogate", surrogate: k };
    }
  }
  return { branch: tree.unknown === 0 ? tree.usual[node] : -1, by: "unknown" };
}

// All nodes that the row, or a part of it, reaches, parents first:
// [{node, share, by, surrogate, ends}].
function follow(row) {
  const parts = [];
  const stack = [{ node: 0, share: 1, by: "value" }];
  while (stack.length) {
    const part = stack.pop();
    const node = part.node;
    parts.push(part);
    part.ends = isLeaf(node);
    if (part.ends) continue;
    const to = onward(node, row);
    if (to.branch >= 0) {
      stack.push({ node: childOf(node, to.branch), share: part.share, by: to.by, surrogate: to.surrogate });
      continue;
    }
    const children = childrenOf(node);
    const total = tree.unknown === 1 ? children.reduce((sum, c) => sum + tree.weight[c], 0) : 0;
    part.ends = !(total > 0);
    if (part.ends) continue;
    children.reverse().filter((c) => tree.weight[c] > 0).forEach((c) => {
      stack.push({ node: c, share: part.share * (tree.weight[c] / total), by: to.by });
    });
  }
  return parts;
}

// The shares of the classes in a node.
function sharesOf(node) {
  const k = tree.classes.length;
  const cells = tree.cells.slice(node * k, node * k + k);
  const total = cells.reduce((a, b) => a + b, 0);
  return cells.map((c) => c / total);
}

// The shares that a node predicts, with extra rows spread evenly over the classes.
function predictedShares(node) {
  const shares = sharesOf(node);
  if (!tree.smooth) return shares;
  while (!(tree.weight[node] > 0) && node > 0) node = tree.parent[node];
  const weight = tree.weight[node];
  return shares.map((s, i) => {
    const to = tree.smoothTo ? tree.smoothTo[i] : 1 / shares.length;
    return (s * weight + tree.smooth * to) / (weight + tree.smooth);
  });
}

// {parts, ends, node, value, shares}: value is a number, or the place of a class.
function predictRow(row) {
  const parts = follow(row);
  const ends = parts.filter((part) => part.ends);
  let last = ends[0];
  ends.forEach((part) => {
    if (part.share > last.share * (1 + 1e-12)) last = part;
  });
  const out = { parts, ends, node: last.node, value: tree.value[last.node], share: last.share };
  if (tree.task === "regression") {
    if (ends.length > 1) out.value = ends.reduce((sum, p) => sum + p.share * tree.value[p.node], 0);
    return out;
  }
  out.shares = predictedShares(last.node);
  if (ends.length > 1) {
    const mixed = out.shares.map(() => 0);
    ends.forEach((p) => predictedShares(p.node).forEach((s, k) => (mixed[k] += p.share * s)));
    const total = mixed.reduce((a, b) => a + b, 0);
    out.shares = mixed.map((s) => s / total);
    out.value = bestClass(out.shares);
  }
  return out;
}

// The largest share, or the smallest expected cost; the earlier class on ties.
function bestClass(shares) {
  if (!tree.cost) {
    const most = Math.max(...shares);
    return shares.findIndex((s) => s >= most * (1 - 1e-12));
  }
  const expected = shares.map((_, j) => shares.reduce((sum, s, i) => sum + s * tree.cost[i][j], 0));
  const least = Math.min(...expected);
  return expected.findIndex((e) => e <= least * (1 + 1e-12));
}
