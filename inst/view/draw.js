// The tree on the page. Only open nodes have a position, and only visible ones are elements, so that
// trees of any size are fast.

const box = { width: 176, height: 46, across: 216, down: 54, indent: 20, row: 30 };
const least = { width: box.width, across: box.across, down: box.down };
const state = {
  open: new Uint8Array(tree.size), outline: false, zoom: 1, current: 0, printing: false,
  order: [], x: new Float64Array(tree.size), y: new Float64Array(tree.size), width: 0, height: 0,
  way: new Map(), found: new Set(), items: new Map(),
};
const $ = (id) => document.getElementById(id);

// The positions of the visible nodes, parents first.
function arrange() {
  const order = [];
  const stack = [0];
  while (stack.length) {
    const i = stack.pop();
    order.push(i);
    if (state.open[i]) for (let j = tree.kids[i]; j-- > 0;) stack.push(childOf(i, j));
  }
  const depth = order.reduce((most, i) => Math.max(most, tree.depth[i]), 0);
  state.order = order;
  if (state.outline) {
    box.row = innerWidth > 700 ? 30 : 44;
    order.forEach((i, k) => {
      state.x[i] = tree.depth[i] * box.indent;
      state.y[i] = k * box.row;
    });
    state.width = Math.max(depth * box.indent + 260, $("scroll").clientWidth / state.zoom - 28);
    state.height = order.length * box.row;
  } else {
    let rows = 0;
    spread(depth, order.reduce((n, i) => n + (state.open[i] ? 0 : 1), 0));
    for (const i of order) {
      state.x[i] = tree.depth[i] * box.across;
      if (!state.open[i]) state.y[i] = rows++ * box.down;
    }
    for (let k = order.length; k-- > 0;) {
      const i = order[k];
      if (state.open[i]) state.y[i] = (state.y[childOf(i, 0)] + state.y[childOf(i, tree.kids[i] - 1)]) / 2;
    }
    const closed = order.some((i) => !state.open[i] && !isLeaf(i) && tree.depth[i] === depth);
    state.width = depth * box.across + box.width + (closed ? 56 : 4);
    state.height = rows * box.down;
  }
  $("canvas").style.width = state.width * state.zoom + 24 + "px";
  $("canvas").style.height = state.height * state.zoom + 24 + "px";
  $("layer").style.transform = "scale(" + state.zoom + ")";
  $("layer").style.width = state.width + "px";
  $("layer").style.setProperty("--box", box.width + "px");
  const beside = (room, size) => Math.max(12, (room - size * state.zoom) / 2) + "px";
  $("layer").style.left = state.outline ? "12px" : beside($("scroll").clientWidth, state.width);
  $("layer").style.top = state.outline ? "12px" : beside($("scroll").clientHeight, state.height);
}

// The visible area with a margin, in units of the tree.
function sight() {
  const scroll = $("scroll"), margin = 300;
  return {
    left: (scroll.scrollLeft - margin) / state.zoom,
    right: (scroll.scrollLeft + scroll.clientWidth + margin) / state.zoom,
    top: (scroll.scrollTop - margin) / state.zoom,
    bottom: (scroll.scrollTop + scroll.clientHeight + margin) / state.zoom,
  };
}

const mostPrinted = 3000;

function draw() {
  const seen = sight();
  const inSight = (i) => state.y[i] < seen.bottom && state.y[i] + box.height > seen.top &&
    (state.outline || (state.x[i] < seen.right && state.x[i] + box.width > seen.left));
  const shown = state.printing ? state.order.slice(0, mostPrinted)
    : state.order.filter((i) => i === state.current || inSight(i));
  const keep = new Set(shown);
  state.items.forEach((item, i) => {
    if (keep.has(i)) return;
    item.remove();
    state.items.delete(i);
  });
  let before = $("tree").firstChild;
  shown.forEach((i) => {
    const item = state.items.get(i) || makeItem(i);
    placeItem(item, i);
    if (item === before) before = before.nextSibling;
    else $("tree").insertBefore(item, before);
  });
  drawEdges(seen);
}

function makeItem(i) {
  const item = document.createElement("div");
  item.className = isLeaf(i) ? "node leaf" : "node";
  item.id = "node-" + (i + 1);
  item.dataset.node = i + 1;
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", tree.depth[i] + 1);
  item.setAttribute("aria-setsize", i ? tree.kids[tree.parent[i]] : 1);
  item.setAttribute("aria-posinset", tree.branch[i] + 1);
  const add = (name, text) => {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    item.append(part);
    return part;
  };
  add("rule", ruleText(i, 60)).title = ruleText(i, 600);
  add("bar", "").style.background = barOf(i);
  add("says", "");
  add("unseen", spokenText(i));
  if (!isLeaf(i)) add("more", "").setAttribute("aria-hidden", "true");
  state.items.set(i, item);
  return item;
}

// What a screen reader says besides the condition, the prediction and the number of rows.
const spokenText = (i) => " rows" +
  (isLeaf(i) ? ", leaf " + (i + 1) : ", node " + (i + 1) + ", " + plural(tree.leaves[i], "leaf", "leaves") + " below");

function placeItem(item, i) {
  const open = state.open[i] === 1, share = state.way.get(i);
  if (!state.printing) {
    item.style.left = state.x[i] + "px";
    item.style.top = state.y[i] + "px";
    item.style.width = state.outline ? state.width - state.x[i] - 4 + "px" : "";
  }
  item.style.setProperty("--depth", Math.min(tree.depth[i], 14));
  const current = i === state.current;
  item.tabIndex = current ? 0 : -1;
  item.setAttribute("aria-selected", current);
  if (current) item.setAttribute("aria-describedby", "node-rule");
  else item.removeAttribute("aria-describedby");
  item.classList.toggle("on", share !== undefined);
  item.classList.toggle("found", state.found.has(i));
  item.querySelector(".says").textContent = (share < 1 ? "part " + shareText(share) + " · " : "") +
    answerText(tree.value[i]) + (tree.task === "regression" ? "" : " " + shareText(predictedShares(i)[tree.value[i]])) +
    " · n = " + countText(tree.n[i]);
  if (isLeaf(i)) return;
  item.setAttribute("aria-expanded", open);
  item.querySelector(".more").textContent = open ? "−" : "+" + countText(tree.leaves[i]);
}

// The shares of the classes side by side, or the position of a number between minimum and maximum.
function barOf(i) {
  if (tree.task === "regression") {
    const [low, high] = tree.range;
    const at = high > low ? ((tree.value[i] - low) / (high - low)) * 100 : 50;
    return "linear-gradient(to right, " + tree.colours[1] + " " + Math.max(at, 1) + "%, " + tree.colours[0] + " 0)";
  }
  let from = 0;
  const stops = [];
  sharesOf(i).forEach((share, k) => {
    if (share > 0) stops.push(tree.colours[k] + " " + from * 100 + "% " + (from += share) * 100 + "%");
  });
  return "linear-gradient(to right, " + stops.join(", ") + ")";
}

function drawEdges(seen) {
  const svg = $("edges"), lines = ["", ""];
  const width = seen.right - seen.left, height = seen.bottom - seen.top;
  state.order.forEach((i) => {
    const up = tree.parent[i];
    if (up < 0) return;
    const x = [state.x[up], state.x[i]], y = [state.y[up], state.y[i]];
    if (Math.min(...y) > seen.bottom || Math.max(...y) < seen.top - box.down) return;
    if (x[0] > seen.right || x[1] < seen.left) return;
    lines[state.way.has(i) ? 1 : 0] += state.outline
      ? "M" + (x[0] + 8) + " " + (y[0] + box.row - 4) + "V" + (y[1] + box.row / 2) + "H" + x[1]
      : curve(x[0] + box.width, y[0] + box.height / 2, x[1], y[1] + box.height / 2);
  });
  svg.style.left = seen.left + "px";
  svg.style.top = seen.top + "px";
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", [seen.left, seen.top, width, height].join(" "));
  svg.children[0].setAttribute("d", lines[0]);
  svg.children[1].setAttribute("d", lines[1]);
}

function curve(x, y, toX, toY) {
  const middle = (x + toX) / 2;
  return "M" + x + " " + y + "C" + middle + " " + y + " " + middle + " " + toY + " " + toX + " " + toY;
}

function redraw() {
  arrange();
  draw();
}

// Opens the ancestors of a node.
function reveal(i) {
  for (let up = tree.parent[i]; up >= 0; up = tree.parent[up]) state.open[up] = 1;
}

// Scrolls to a node and gives it the keyboard focus.
function goTo(i, focus = true) {
  reveal(i);
  state.current = i;
  arrange();
  const scroll = $("scroll"), zoom = state.zoom;
  const bring = (at, size, from, room) => {
    if (at * zoom < from + 8) return Math.max(0, at * zoom - room / 4);
    return (at + size) * zoom > from + room - 8 ? (at + size) * zoom - room * 0.75 : from;
  };
  scroll.scrollTop = bring(state.y[i], box.height, scroll.scrollTop, scroll.clientHeight);
  const width = state.outline ? 100 : box.width;
  scroll.scrollLeft = bring(state.x[i], width, scroll.scrollLeft, scroll.clientWidth);
  draw();
  showNode(i);
  if (focus) state.items.get(i).focus({ preventScroll: true });
}

function setOpen(i, open) {
  if (isLeaf(i)) return;
  state.open[i] = open ? 1 : 0;
  goTo(i);
}
