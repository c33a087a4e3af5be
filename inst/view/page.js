// User input: keys, pointer, search, rows; and printing.

const element = (name, text, ...children) => {
  const out = document.createElement(name);
  if (text) out.textContent = text;
  out.append(...children);
  return out;
};

// Counts and conditions of the node under the pointer or with the keyboard's focus.
function showNode(i) {
  const split = isLeaf(i) ? "leaf" : "split on " + nameOf(tree.variable[i]);
  const weighted = Math.abs(tree.weight[i] - tree.n[i]) > 1e-9 * Math.max(1, tree.n[i]);
  $("node-title").textContent = "Node " + (i + 1) + ", " + split;
  $("node-facts").textContent = plural(tree.n[i], "row") +
    (weighted ? " (weight " + numberText(tree.weight[i], 4) + ")" : "") + ", " +
    (100 * tree.n[i] / Math.max(1, tree.n[0])).toFixed(1) + "% of all. Predicts " + answerText(tree.value[i]) + ".";
  const rules = regionTexts(regionOf(i));
  $("node-rule").replaceChildren(element("p", rules.length ? "Conditions of this node:" : "All rows: no condition."));
  if (rules.length) $("node-rule").append(element("ul", "", ...rules.map((rule) => element("li", rule))));
  $("node-table").replaceChildren(...(tree.classes.length ? [shareTable(predictedShares(i), i)] : []));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const i = state.current, place = state.order.indexOf(i);
  const step = (k) => goTo(state.order[Math.min(state.order.length - 1, Math.max(0, k))]);
  const keys = {
    ArrowDown: () => step(place + 1),
    ArrowUp: () => step(place - 1),
    Home: () => step(0),
    End: () => step(state.order.length - 1),
    ArrowRight: () => (!isLeaf(i) && (state.open[i] ? goTo(childOf(i, 0)) : setOpen(i, true))),
    ArrowLeft: () => (state.open[i] ? setOpen(i, false) : tree.parent[i] >= 0 && goTo(tree.parent[i])),
    Enter: () => setOpen(i, !state.open[i]),
    " ": () => setOpen(i, !state.open[i]),
    "*": () => {
      (i ? childrenOf(tree.parent[i]) : [0]).forEach((c) => (state.open[c] = isLeaf(c) ? 0 : 1));
      goTo(i);
    },
    "+": () => setZoom(state.zoom * 1.25),
    "-": () => setZoom(state.zoom / 1.25),
    0: () => zoomToFit(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

const nodeAt = (target) => {
  const item = target.closest && target.closest(".node");
  return item ? item.dataset.node - 1 : -1;
};

function listenToTree() {
  const board = $("tree"), scroll = $("scroll");
  board.addEventListener("keydown", onKey);
  board.addEventListener("focusin", (event) => {
    const i = nodeAt(event.target);
    if (i === state.current || i < 0) return;
    state.current = i;
    draw();
    showNode(i);
  });
  board.addEventListener("click", (event) => {
    const i = nodeAt(event.target);
    if (i < 0) return;
    if (event.target.className === "more") setOpen(i, !state.open[i]);
    else goTo(i);
  });
  board.addEventListener("dblclick", (event) => {
    const i = nodeAt(event.target);
    if (i >= 0 && event.target.className !== "more") setOpen(i, !state.open[i]);
  });
  board.addEventListener("mouseover", (event) => {
    const i = nodeAt(event.target);
    if (i >= 0) showNode(i);
  });
  board.addEventListener("mouseleave", () => showNode(state.current));
  scroll.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
  scroll.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setZoom(state.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
  }, { passive: false });
  listenToDrag(scroll);
  addEventListener("resize", redraw);
}

// The mouse drags the tree by its background; touch scrolling works without code.
function listenToDrag(scroll) {
  let from = null;
  scroll.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || nodeAt(event.target) >= 0) return;
    from = { x: event.clientX + scroll.scrollLeft, y: event.clientY + scroll.scrollTop };
  });
  addEventListener("pointermove", (event) => {
    if (!from) return;
    scroll.scrollLeft = from.x - event.clientX;
    scroll.scrollTop = from.y - event.clientY;
  });
  addEventListener("pointerup", () => (from = null));
}

// Search. A number finds the node of that number first.
const search = { text: "", nodes: [], at: -1 };

function findNodes(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const out = [];
  const number = /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1;
  if (number >= 0 && number < tree.size) out.push(number);
  for (let i = 0; i < tree.size; i++) {
    const text = (i ? ruleText(i) : "") + "\n" + answerText(tree.value[i]);
    if (i !== number && text.toLowerCase().includes(wanted)) out.push(i);
  }
  return out;
}

function runSearch(step) {
  const text = $("search").value;
  if (text !== search.text) Object.assign(search, { text, nodes: findNodes(text), at: step < 0 ? 0 : -1 });
  const n = search.nodes.length;
  state.found = new Set(search.nodes);
  if (n && step) search.at = (search.at + step + n) % n;
  $("search-count").textContent = !text.trim() ? "" : n ? (search.at >= 0 ? search.at + 1 + " of " : "") + n : "None";
  if (n && step) goTo(search.nodes[search.at], false);
  else draw();
}

function listenToPanel() {
  $("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    runSearch(1);
  });
  $("search").addEventListener("input", () => runSearch(0));
  $("search-back").addEventListener("click", () => runSearch(-1));
  $("row").addEventListener("input", () => {
    fillFields();
    runRow();
  });
  $("row-fields").addEventListener("input", (event) => {
    const field = event.target.closest("[data-column]");
    if (field) takeField(field);
  });
  $("row-fields").addEventListener("submit", (event) => event.preventDefault());
  $("row-clear").addEventListener("click", () => {
    $("row").value = nameLines();
    fillFields();
    runRow();
  });
  const openAll = (depth) => {
    openTo(depth);
    goTo(0, false);
  };
  $("open-all").addEventListener("click", () => openAll(Infinity));
  $("close-all").addEventListener("click", () => openAll(1));
  $("zoom-in").addEventListener("click", () => setZoom(state.zoom * 1.25));
  $("zoom-out").addEventListener("click", () => setZoom(state.zoom / 1.25));
  $("zoom-fit").addEventListener("click", () => zoomToFit());
  $("layout").addEventListener("click", () => setOutline(!state.outline));
}

function setOutline(outline) {
  state.outline = outline;
  document.body.classList.toggle("outline", outline);
  $("layout").setAttribute("aria-pressed", outline);
  goTo(state.current, false);
}

// In print, every open node has one line.
function listenToPrinter() {
  addEventListener("beforeprint", () => {
    state.printing = true;
    const rest = state.order.length - mostPrinted;
    $("print-note").hidden = rest <= 0;
    $("print-note").textContent = "Not printed: " + plural(rest, "further open node") + ".";
    draw();
  });
  addEventListener("afterprint", () => {
    state.printing = false;
    redraw();
  });
}

// The help text of the fields.
function rowHelp() {
  const computed = tree.columns.filter((column) => column.computed).map((column) => column.shownName || column.name);
  return "An empty field is a missing value." +
    (tree.zone ? " Times are those of " + tree.zone + "." : "") +
    (computed.length ? " The page does not compute " + setText(computed, 100) + ": give the result." : "");
}

followFrame();
setOutline(innerWidth < 700);
openTo(fittingDepth());
zoomToFit(state.outline ? 1 : 0.75);
showNode(0);
$("row-help").textContent = rowHelp();
$("legend").replaceChildren(...legendOf());
$("row").value = tree.row || nameLines();
makeFields();
fillFields();
if (tree.row) {
  runRow();
  // Its path may have opened more than fits.
  zoomToFit(state.outline ? 1 : 0.6);
  goTo(state.current, false);
}
listenToTree();
listenToPanel();
listenToPrinter();
document.documentElement.dataset.ready = Math.round(performance.now());
