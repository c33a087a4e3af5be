// The format of numbers, dates, levels and conditions on the page.

// Seven digits; large numbers keep one decimal, as half a unit decides which side a value is on.
function numberText(x, digits = 7) {
  if (!Number.isFinite(x)) return x > 0 ? "Inf" : "-Inf";
  if (x === 0) return "0";
  const places = Math.min(15, Math.max(digits, Math.ceil(Math.log10(Math.max(Math.abs(x), 1))) + 1));
  const [mantissa, power] = x.toExponential(places - 1).split("e");
  const short = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power < -4 || power >= places) {
    return short(mantissa) + "e" + (power < 0 ? "-" : "+") + Math.abs(power);
  }
  return short(x.toFixed(Math.max(0, places - 1 - power)));
}

const countText = (n) => n.toLocaleString("en-US", { maximumFractionDigits: 2 });
const plural = (n, one, many = one + "s") => countText(n) + " " + (n === 1 ? one : many);
const shareText = (share) => share.toFixed(2);

// The wall clock of a time zone: from seconds since 1970 to seconds on the clock.
function clock(seconds, zone) {
  let format;
  const options = {
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
    second: "2-digit", hourCycle: "h23", timeZone: zone,
  };
  try {
    format = new Intl.DateTimeFormat("en-US", options);
  } catch (error) {
    format = new Intl.DateTimeFormat("en-US", Object.assign(options, { timeZone: "UTC" }));
  }
  const part = {};
  format.formatToParts(new Date(seconds * 1000)).forEach((p) => (part[p.type] = p.value));
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) / 1000;
}

const isoText = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

// For whole days or seconds, the earlier of two values is equivalent to a threshold between them.
function valueText(variable, x) {
  const column = tree.columns[variable];
  if (x === null || x === undefined) return "missing";
  if (column.levels) return labelsOf(column)[x - 1];
  if (!Number.isFinite(x)) return numberText(x);
  if (column.type === "Date") return isoText(Math.floor(x) * 86400).slice(0, 10);
  if (column.type === "POSIXct") return isoText(clock(Math.floor(x), column.zone)).replace(" 00:00:00", "");
  return numberText(x) + (column.unit ? " " + column.unit : "");
}

// The displayed names and labels, if they differ from the original.
const nameOf = (variable) => tree.columns[variable].shownName || tree.columns[variable].name;
const labelsOf = (column) => column.shown || column.levels;
const classText = (k) => (tree.shownClasses || tree.classes)[k];

function setText(labels, width = Infinity) {
  const whole = labels.join(", ");
  if (labels.length <= 1 || whole.length <= width) return whole;
  let keep = 0;
  for (let length = 0; (length += labels[keep].length) <= width - 6; length += 2) keep++;
  keep = Math.max(1, keep);
  return labels.slice(0, keep).concat("+" + (labels.length - keep)).join(", ");
}

function rangeText(variable, lower, upper) {
  // A branch of missing values alone.
  if (lower === Infinity) return "is missing";
  if (lower === -Infinity) return upper === Infinity ? "is anything" : "≤ " + valueText(variable, upper);
  if (upper === Infinity) return "> " + valueText(variable, lower);
  return "in (" + valueText(variable, lower) + ", " + valueText(variable, upper) + "]";
}

const levelsText = (labels, width) =>
  labels.length === 0 ? "is missing" : labels.length === 1 ? "= " + labels[0] : "in {" + setText(labels, width) + "}";

// The condition on the way into a node, without the column's name.
function branchText(node, width) {
  const from = tree.parent[node], branch = tree.branch[node], variable = tree.variable[from];
  const labels = labelsOf(tree.columns[variable]);
  const kind = tree.kind[from];
  if (kind === 5) return "= " + labels[branch];
  if (kind === 4) {
    const mine = [];
    for (let k = tree.levelAt[from]; k < tree.levelAt[from] + setSize(from); k++) {
      if (tree.levelChild[k] === branch) mine.push(labels[tree.level[k] - 1]);
    }
    return levelsText(mine, width);
  }
  const at = tree.breakAt[from] + branch;
  if (branch === 0 && tree.breaks[at] === Infinity) return "is known";
  return rangeText(variable, branch > 0 ? tree.breaks[at - 1] : -Infinity,
    branch < tree.kids[from] - 1 ? tree.breaks[at] : Infinity);
}

const ruleText = (node, width) =>
  node === 0 ? "all rows" : nameOf(tree.variable[tree.parent[node]]) + " " + branchText(node, width);

// A region, one line per column.
function regionTexts(region) {
  return [...region].map(([j, c]) => nameOf(j) + " " + (c.codes ? regionLevels(j, c) : rangeText(j, c.lower, c.upper)));
}

function regionLevels(variable, condition) {
  const labels = labelsOf(tree.columns[variable]);
  const seen = condition.seen, last = seen[seen.length - 1];
  if (condition.byRank && seen.length && last - seen[0] === seen.length - 1) {
    return rangeText(variable, seen[0] === 1 ? -Infinity : seen[0] - 1, last === labels.length ? Infinity : last);
  }
  return levelsText(seen.map((c) => labels[c - 1]), 300);
}

// "x from 3 to 2 or less"
function moveText([variable, condition], x) {
  return nameOf(variable) + " from " + valueText(variable, x) + " to " + targetText(variable, condition);
}

function targetText(variable, condition) {
  if (!condition.codes) {
    const low = valueText(variable, condition.lower), high = valueText(variable, condition.upper);
    if (condition.lower === -Infinity) return high + " or less";
    return condition.upper === Infinity ? "more than " + low : "between " + low + " and " + high;
  }
  const codes = condition.seen.length ? condition.seen : condition.codes;
  const labels = codes.map((c) => labelsOf(tree.columns[variable])[c - 1]);
  return labels.length === 1 ? labels[0] : "one of {" + setText(labels, 40) + "}";
}

const changeText = (change, row) => change.moves.map((move) => moveText(move, row[move[0]])).join(" and ");

// The prediction of a node or a row: "virginica", "12.4".
const answerText = (value) => (tree.task === "regression" ? numberText(value, 4) : classText(value));
