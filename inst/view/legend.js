// The legend of colours, and the shares of the classes.

// Colours of classes, or of numbers from the smallest prediction to the largest.
function legendOf() {
  const most = 24;
  if (tree.task === "regression") {
    const scale = element("span");
    scale.className = "scale";
    scale.style.background = "linear-gradient(to right, " + tree.colours[1] + " 62%, " + tree.colours[0] + " 0)";
    const [low, high] = tree.range.map((x) => numberText(x, 4));
    return [element("span", "", "Prediction: " + low + " (empty)", scale, high + " (full)")];
  }
  const keys = tree.classes.slice(0, most).map((_, k) => {
    const key = element("span");
    key.className = "key";
    key.style.background = tree.colours[k];
    return element("span", "", key, classText(k));
  });
  const rest = tree.classes.length - most;
  return rest > 0 ? [...keys, element("span", "and " + plural(rest, "further class", "further classes"))] : keys;
}

// The classes with the probabilities that predict() returns, each rounded by itself as in print(),
// and with the counts of a node if the tree has them.
function shareTable(shares, node) {
  const counts = tree.counts && node !== undefined && tree.n[node] > 0;
  const head = element("tr", "", ...["Class", ...(counts ? ["Rows"] : []), "Probability"].map((t) => {
    const cell = element("th", t);
    cell.scope = "col";
    return cell;
  }));
  const own = node === undefined ? shares : sharesOf(node);
  // If there are many classes, only those that occur.
  let places = shares.map((_, k) => k);
  if (places.length > 8) places = places.filter((k) => own[k] > 0).sort((a, b) => own[b] - own[a] || a - b);
  places.length = Math.min(places.length, 20);
  const others = shares.length - places.length;
  const rows = places.map((k) => {
    const key = element("span");
    key.className = "key";
    key.style.background = tree.colours[k];
    const name = element("th", "", key, classText(k));
    name.scope = "row";
    const count = counts ? [element("td", countText(tree.cells[node * shares.length + k]))] : [];
    return element("tr", "", name, ...count, element("td", shareText(shares[k])));
  });
  const table = element("table", "", element("thead", "", head), element("tbody", "", ...rows));
  if (others) table.append(element("caption", "and " + plural(others, "further class", "further classes")));
  return table;
}
