// From typed or pasted text to a row: "name = value" lines, or CSV with or without a line of names.

// Lines of fields {name, text, quoted}. Quotes are as in CSV; "name =" counts where the name is a
// column's.
function readFields(text, separators) {
  const lines = [];
  let line = [], field, at = 0;
  const start = () => (field = { name: null, text: "", quoted: false });
  const end = () => {
    if (!field.quoted) field.text = field.text.trim();
    line.push(field);
    start();
  };
  const endLine = () => {
    end();
    if (line.some((f) => f.text || f.quoted || f.name)) lines.push(line);
    line = [];
  };
  start();
  for (; at < text.length; at++) {
    const c = text[at];
    if (c === "\"" && !field.quoted && !field.text.trim()) {
      const closed = readQuoted(text, at + 1);
      Object.assign(field, { text: closed.text, quoted: true });
      at = closed.end;
    } else if (c === "=" && field.name === null && isColumn(nameText(field))) {
      Object.assign(field, { name: nameText(field), text: "", quoted: false });
    } else if (c === "\n" || c === "\r") {
      endLine();
    } else if (separators.includes(c)) {
      end();
    } else if (!field.quoted) {
      field.text += c;
    }
  }
  endLine();
  return lines;
}

// To the closing quote; "" stands for a quote.
function readQuoted(text, at) {
  let out = "";
  for (; at < text.length; at++) {
    if (text[at] !== "\"") out += text[at];
    else if (text[at + 1] === "\"") out += text[at++];
    else break;
  }
  return { text: out, end: at };
}

const columnPlaces = new Map(tree.columns.map((column, j) => [column.name, j]));
const nameText = (field) => (field.quoted ? field.text : field.text.trim());
const allNames = new Set(tree.names);
const isColumn = (name) => columnPlaces.has(name) || allNames.has(name);

// {row, notes, given}: a value for each column, notes about them, and the number of given values.
function readRow(text) {
  const notes = [];
  const fields = namedFields(text, notes);
  const row = tree.columns.map(() => null);
  const named = new Set();
  fields.forEach((field) => {
    const j = columnPlaces.get(field.name);
    if (j === undefined) return;
    named.add(j);
    row[j] = readValue(tree.columns[j], field, notes);
  });
  const given = row.filter((x) => x !== null).length;
  const absent = tree.columns.filter((column, j) => column.needed && row[j] === null && !named.has(j));
  if (fields.length && absent.length) {
    notes.push("Not given, so missing: " + setText(absent.map((column) => nameOf(columnPlaces.get(column.name))), 200) + ".");
  }
  return { row, notes, given };
}

// Every value with the name of its column.
function namedFields(text, notes) {
  const named = readFields(text, ",;\t").flat();
  if (named.some((field) => field.name !== null)) {
    const strange = named.filter((field) => field.name === null && field.text);
    if (strange.length) {
      notes.push("Not understood: " + strange.slice(0, 3).map((f) => f.text).join("; ") + ". No column has this name.");
    }
    return named.filter((field) => field.name !== null);
  }
  const separator = text.includes("\t") ? "\t" : text.includes(";") ? ";" : ",";
  const lines = readFields(text, separator);
  if (!lines.length) return [];
  const header = lines[0].filter((field) => isColumn(field.text)).length > 0 && lines.length > 1;
  if (lines.length > (header ? 2 : 1)) notes.push("Only the first row is used.");
  return header ? byHeader(lines[0], lines[1], notes) : byOrder(lines[0], notes);
}

// A line of values may start with a row name that the header lacks, as write.table() has it.
function byHeader(names, values, notes) {
  const extra = values.length - names.length;
  if (extra !== 0 && extra !== 1) {
    notes.push("The line has " + values.length + " values, the header " + names.length + ".");
    return [];
  }
  return names.map((name, k) => Object.assign({}, values[k + extra], { name: name.text }));
}

function byOrder(values, notes) {
  const needed = tree.columns.filter((column) => column.needed).map((column) => column.name);
  const order = [needed, tree.names].find((names) => names.length === values.length);
  if (!order) {
    const all = needed.length === tree.names.length ? "" : ", or all " + tree.names.length + " predictors";
    notes.push("A line of " + plural(values.length, "value") + ": give " + needed.length + " (" +
      setText(needed, 200) + ")" + all + ", or put a line of names above it.");
    return [];
  }
  return values.map((value, k) => Object.assign({}, value, { name: order[k] }));
}

const isMissing = (field) => !field.quoted && /^(|NA|NaN|missing)$/.test(field.text);

// The number or code of a text, or null.
function readValue(column, field, notes) {
  if (isMissing(field)) return null;
  const x = column.levels ? readLevel(column, field.text) : readQuantity(column, field.text.trim());
  if (x !== null) return x;
  notes.push("“" + field.text + "” is " + wanted(column) + "; it counts as missing.");
  return null;
}

function wanted(column) {
  const name = column.shownName || column.name;
  if (column.levels) return "no level of " + name + " (" + setText(labelsOf(column), 120) + ")";
  if (column.type === "Date") return "no date for " + name + " (write 2024-12-31)";
  if (column.type === "POSIXct") return "no time for " + name + " (write 2024-12-31 23:59:59)";
  return "no number for " + name;
}

function readLevel(column, text) {
  let code = column.levels.indexOf(text) + 1;
  if (!code && column.levels.join() === "FALSE,TRUE" && /^(t|f|true|false)$/i.test(text)) {
    code = /^t/i.test(text) ? 2 : 1;
  }
  return code || null;
}

function readQuantity(column, text) {
  if (column.type === "Date" || column.type === "POSIXct") {
    const seconds = readTime(column, text);
    return seconds === null || column.type === "POSIXct" ? seconds : Math.floor(seconds / 86400);
  }
  const plain = /^[+-]?\d+,\d+$/.test(text) ? text.replace(",", ".") : text;
  if (/^[+-]?inf(inity)?$/i.test(plain)) return plain[0] === "-" ? -Infinity : Infinity;
  const x = plain === "" ? NaN : Number(plain);
  return Number.isNaN(x) ? null : x;
}

// Seconds since 1970 of "2024-12-31", "2024-12-31 23:59:59.5" or "2024-12-31T22:59:59Z".
function readTime(column, text) {
  const m = /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|UTC)?$/.exec(text);
  if (!m) return null;
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map((part) => Number(part || 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  if (date.getUTCMonth() !== month - 1 || hour > 24 || minute > 59 || second > 60) return null;
  const wall = date.getTime() / 1000;
  if (column.type === "Date" || m[8]) return wall + Number(m[7] || 0);
  // The clock of the zone: twice, for the hours when the clock changes.
  let seconds = wall - (clock(wall, column.zone) - wall);
  seconds += wall - clock(seconds, column.zone);
  return seconds + Number(m[7] || 0);
}

// The names of the columns that the tree needs, one per line.
const nameLines = () => tree.columns.filter((column) => column.needed)
  .map((column) => quotedName(column.name) + " = ").join("\n");

const quotedName = (name) =>
  (/[=,;\t\r\n"]|^\s|\s$/.test(name) ? "\"" + name.replace(/"/g, "\"\"") + "\"" : name);
