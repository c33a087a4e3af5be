// Size: zoom, the initial depth, and how the tree fills its room.

// A small tree uses all room: longer branches, and wider boxes with more of the conditions.
function spread(depth, rows) {
  const wide = ($("scroll").clientWidth - 24) / state.zoom - 60;
  const high = ($("scroll").clientHeight - 24) / state.zoom;
  const within = (x, low, high) => Math.min(high, Math.max(low, x));
  box.across = within((wide - least.width) / Math.max(1, depth), least.across, 2 * least.across);
  box.width = within(box.across - 60, least.width, 320);
  box.across = within((wide - box.width) / Math.max(1, depth), least.across, 2 * least.across);
  box.down = within(high / rows, least.down, 2.6 * least.down);
}

function setZoom(zoom) {
  const scroll = $("scroll"), before = state.zoom;
  state.zoom = Math.min(2, Math.max(0.2, zoom));
  arrange();
  const middle = (from, room) => ((from + room / 2) / before) * state.zoom - room / 2;
  scroll.scrollTop = middle(scroll.scrollTop, scroll.clientHeight);
  scroll.scrollLeft = middle(scroll.scrollLeft, scroll.clientWidth);
  $("zoom").textContent = Math.round(state.zoom * 100) + "%";
  draw();
}

function zoomToFit(smallest = 0.2) {
  const scroll = $("scroll");
  // As if there were no room to spare.
  state.zoom = 1e6;
  arrange();
  const across = state.outline ? 1 : (scroll.clientWidth - 24) / state.width;
  const most = state.outline ? 1 : 1.4;
  setZoom(Math.max(smallest, Math.min(most, across, (scroll.clientHeight - 24) / state.height)));
}

function openTo(depth) {
  for (let i = 0; i < tree.size; i++) state.open[i] = !isLeaf(i) && tree.depth[i] < depth ? 1 : 0;
}

// The depth to which the tree fits the page at three quarters of its size, at least 2.
function fittingDepth() {
  const scroll = $("scroll"), size = 0.75;
  const most = Math.max(10, scroll.clientHeight / (state.outline ? box.row : least.down * size));
  const deepest = state.outline ? 1000 : (scroll.clientWidth / size - least.width) / least.across;
  const leaves = [], nodes = [];
  for (let i = 0; i < tree.size; i++) {
    const at = isLeaf(i) ? leaves : nodes;
    at[tree.depth[i]] = (at[tree.depth[i]] || 0) + 1;
  }
  let depth = 0, rows = 1;
  while (nodes[depth]) {
    const inner = nodes[depth] || 0, next = (nodes[depth + 1] || 0) + (leaves[depth + 1] || 0);
    rows += state.outline ? next : next - inner;
    if (depth >= 2 && (rows > most || depth + 1 > deepest)) break;
    depth++;
  }
  return depth;
}
