  const read = (row, i) => {
    if (!Object.prototype.hasOwnProperty.call(row, inputs[i])) throw new Error("no column " + inputs[i]);
    const x = row[inputs[i]];
    if (x === null || x === undefined) return NaN;
    if (levels[i]) {
      return levels[i].indexOf(typeof x === "boolean" ? String(x).toUpperCase() : x) + 1 || NaN;
    }
    if (typeof x !== "number") throw new Error("not a number in column " + inputs[i]);
    return x;
  };
