# A decision tree, written by the R package tectree. @NAME@(row) takes a dict with the columns by
# name and returns a dict of node, response and prob. None is a missing value; dates and times are
# days and seconds since 1970 (UTC).
def _make_@NAME@():
    nan = float("nan")
    inputs, needed, levels = [@INPUTS@], [@NEEDED@], [@LEVELS@]
    classes = [@CLASSES@]
    # By node: its class, its shares (or its number), and the parts in which a row continues.
    value = [@VALUE@]
    score = [@SCORE@]
    parts = {@PARTS@}
    aims = [@AIM@]
    # The next node of each: itself if the row ends, 0 if it continues in parts.
    nexts = {
@NEXT@
    }

    def read(row, i):
        x = row[inputs[i]] if needed[i] else row.get(inputs[i])
        if levels[i] is None:
            return nan if x is None else float(x)
        x = str(x).upper() if isinstance(x, bool) else x
        return levels[i].index(x) + 1 if x in levels[i] else 0

    def predict(row):
        x = [read(row, i) for i in range(len(inputs))]
        total = [0.0] * len(score[0])
        node, largest, ends, stack = 0, 0.0, 0, [(1, 1.0)]
        while stack:
            at, part = stack.pop()
            to = nexts[at](x) if at in nexts else at
            if to == 0:
                stack.extend((child, part * share) for child, share in reversed(parts[at]))
            elif to != at:
                stack.append((to, part))
            else:
                ends += 1
                if part > largest * (1 + 1e-12):
                    largest, node = part, at
                total = [t + part * s for t, s in zip(total, score[at - 1])]
        if not classes:
            return {"node": node, "response": total[0], "prob": None}
        if ends < 2:
            return {"node": node, "response": classes[value[node - 1]], "prob": total}
        prob = [t / sum(total) for t in total]
        aim = [sum(p * a[i] for p, a in zip(prob, aims)) for i in range(len(prob))]
        best = next(i for i, a in enumerate(aim) if a >= max(aim) * (@MARGIN@))
        return {"node": node, "response": classes[best], "prob": prob}

    predict.inputs = inputs
    predict.classes = classes
    return predict


@NAME@ = _make_@NAME@()
