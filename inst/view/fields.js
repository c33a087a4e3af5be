// A field for each column that the tree needs: a menu of levels, or a number or date. The row is read
// from the text; a changed field replaces its value there.

function makeFields() {
  const fields = tree.columns.map((column, j) => (column.needed ? fieldOf(column, j) : null));
  $("row-fields").replaceChildren(...fields.filter((field) => field));
}

function fieldOf(column, j) {
  const input = column.levels ? menuOf(column) : element("input");
  if (!column.levels) {
    input.type = column.type === "Date" ? "date" : column.type === "POSIXct" ? "text" : "number";
    if (input.type === "number") input.step = "any";
    if (column.type === "POSIXct") input.placeholder = "2024-12-31 23:59:59";
  }
  input.id = "field-" + (j + 1);
  input.dataset.column = j;
  const label = element("label", nameOf(j) + (column.unit ? " (" + column.unit + ")" : ""));
  label.htmlFor = input.id;
  return element("div", "", label, input);
}

function menuOf(column) {
  const menu = element("select");
  const labels = labelsOf(column);
  menu.append(element("option", ""), ...column.levels.map((_, k) => {
    const option = element("option", labels[k]);
    option.value = k + 1;
    return option;
  }));
  menu.firstChild.value = "";
  menu.firstChild.label = "(missing)";
  return menu;
}

// Updates the fields from the text.
function fillFields() {
  const row = readRow($("row").value).row;
  document.querySelectorAll("[data-column]").forEach((field) => {
    const j = Number(field.dataset.column), x = row[j], column = tree.columns[j];
    if (x === null) field.value = "";
    else if (column.levels || field.type === "number") field.value = Number.isFinite(x) ? String(x) : "";
    else field.value = valueText(j, x);
  });
}

// Replaces one value of the text; the others stay as typed.
function takeField(field) {
  const j = Number(field.dataset.column), column = tree.columns[j];
  const given = new Map(namedFields($("row").value, []).map((f) => [f.name, f.quoted ? quotedText(f.text) : f.text]));
  const value = field.value === "" ? "" : column.levels ? valueField(column.levels[field.value - 1]) : field.value;
  given.set(column.name, value);
  $("row").value = tree.columns.filter((c) => c.needed || given.has(c.name))
    .map((c) => quotedName(c.name) + " = " + (given.get(c.name) || "")).join("\n");
  runRow();
}

const quotedText = (text) => "\"" + text.replace(/"/g, "\"\"") + "\"";
const valueField = (text) =>
  (/[=,;\t\r\n"]|^\s|\s$|^(NA|NaN|missing|)$/.test(text) ? quotedText(text) : text);
