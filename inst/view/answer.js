// The row that was entered.
function runRow() {
  const read = readRow($("row").value);
  const clear = (...ids) => ids.forEach((id) => $(id).replaceChildren());
  clear("row-notes", "row-answer", "row-path", "row-changes");
  state.way = new Map();
  if (!read.given && !read.notes.length) return redraw();
  $("row-notes").append(...read.notes.map((note) => element("p", note)));
  const out = predictRow(read.row);
  out.parts.forEach((part) => state.way.set(part.node, part.share));
  $("row-answer").textContent = answerSentence(out);
  $("row-path").append(...(out.ends.length > 1 ? partsOf(out) : [pathOf(out, read.row)]));
  $("row-changes").append(...changesOf(read.row, out));
  out.parts.slice(0, 200).forEach((part) => reveal(part.node));
  goTo(out.node, false);
}

function answerSentence(out) {
  const share = tree.task === "regression" ? "" : " with probability " + shareText(out.shares[out.value]);
  const node = (isLeaf(out.node) ? "leaf " : "node ") + (out.node + 1);
  const where = out.ends.length > 1
    ? "in " + out.ends.length + " parts, the largest with share " + shareText(out.share) + " in " + node
    : node + ", " + plural(tree.n[out.node], "row");
  return (tree.shownResponse || tree.response) + " is predicted " + answerText(out.value) + share + " (" + where + ").";
}

const nodeButton = (i) => {
  const button = element("button", (isLeaf(i) ? "leaf " : "node ") + (i + 1));
  button.type = "button";
  button.addEventListener("click", () => goTo(i));
  return button;
};

// One sentence per step.
function pathOf(out, row) {
  const steps = out.parts.slice(1).map((part) => {
    const variable = tree.variable[tree.parent[part.node]];
    let text = nameOf(variable) + " is " + valueText(variable, row[variable]);
    if (part.by === "surrogate") {
      const other = tree.surrogates.variable[part.surrogate];
      text += "; " + nameOf(other) + ", which is " + valueText(other, row[other]) + ", sends the row with " + ruleText(part.node, 60);
    } else if (part.by === "unknown") {
      text += ", so the row goes with " + ruleText(part.node, 60);
    } else {
      const rule = branchText(part.node, 60);
      if (!rule.startsWith("= ")) text += ", " + rule;
    }
    return element("li", text + ": " + answerText(tree.value[part.node]) + " ", nodeButton(part.node));
  });
  return element("ol", "", ...steps);
}

// A row that goes to several leaves: the contribution of each.
function partsOf(out) {
  const most = 12;
  const ends = out.ends.slice().sort((a, b) => b.share - a.share || a.node - b.node);
  const items = ends.slice(0, most).map((part) => {
    const own = tree.task === "regression" ? "" : " (" + shareText(predictedShares(part.node)[tree.value[part.node]]) + ")";
    return element("li", shareText(part.share) + " × " + answerText(tree.value[part.node]) + own + " ", nodeButton(part.node));
  });
  const more = ends.length > most ? [element("p", "and " + plural(ends.length - most, "smaller part"))] : [];
  return [
    element("p", "A value is missing, so the row goes to several leaves. The prediction is the weighted mean over them:"),
    element("ul", "", ...items), ...more, ...(out.shares ? [shareTable(out.shares)] : []),
  ];
}

// The nearest change for each other prediction.
function changesOf(row, out) {
  const all = nearestChanges(row, out.value);
  if (!all.length) return [element("p", "No change of this row gives another prediction.")];
  const first = new Map();
  all.forEach((change) => {
    const value = tree.value[change.node];
    const group = tree.task === "regression" ? value > out.value : value;
    if (!first.has(group)) first.set(group, change);
  });
  const items = [...first].slice(0, 4).map(([group, change]) => {
    const value = tree.value[change.node];
    const what = tree.task === "regression" ? (group ? "higher" : "lower") + " (" + answerText(value) + ")"
      : classText(value) + " (probability " + shareText(predictedShares(change.node)[value]) + ")";
    return element("li", what + ": change " + changeText(change, row) + " ", nodeButton(change.node));
  });
  const guide = row.some((x, j) => x === null && tree.columns[j].needed)
    ? " With missing values these are approximate: each missing value is assumed to follow most rows." : "";
  return [
    element("p", "The nearest changes that would change the prediction:" + guide),
    element("ul", "", ...items),
  ];
}
