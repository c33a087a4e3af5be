# Regression splines, written by the R package tectree. @NAME@(row) takes a dict with the columns by
# name and returns a dict of response and, for classes, prob. None is a missing value; dates and times
# are days and seconds since 1970 (UTC). A row with a missing value or an unseen label in an input has
# the response None (for numbers NaN).
import math


def _make_@NAME@():
    nan = float("nan")
    inputs, levels = [@INPUTS@], [@LEVELS@]
    classes = [@CLASSES@]
    # Term t is the product of the factors first[t] to first[t + 1] - 1. A factor has an input; the
    # level that it indicates, or 0; its side (1 above the knot, -1 below, 2 the input itself); and
    # the knot.
    first = [@FROM@]
    inp = [@INPUT@]
    level = [@LEVEL@]
    side = [@SIDE@]
    knot = [@KNOT@]
    # By term; one column per sum. The classes of the sums, or of the opposite of the only sum and
    # the sum.
    coefficients = [@COEF@]
    at = [@AT@]

@READ@

    def odds_of(x):
        if x >= 0:
            return 1 / (1 + math.exp(-x))
        return math.exp(x) / (1 + math.exp(x))

    def predict(row):
        x = [read(row, i) for i in range(len(inputs))]
        if any(v != v for v in x):
            if not classes:
                return {"response": nan, "prob": None}
            return {"response": None, "prob": [nan] * len(classes)}
        sums = [0.0] * len(coefficients[0])
        for t, row_of in enumerate(coefficients):
            b = 1.0
            for f in range(first[t], first[t + 1]):
                v = x[inp[f]]
                if level[f] > 0:
                    v = 1.0 if v == level[f] else 0.0
                b *= v if side[f] == 2 else max(0.0, side[f] * (v - knot[f]))
            sums = [s + b * c for s, c in zip(sums, row_of)]
        if not classes:
            return {"response": sums[0], "prob": None}
        aim = [0.0] + sums if len(sums) == 1 else sums
        odds = [odds_of(-sums[0]), odds_of(sums[0])] if len(sums) == 1 else [odds_of(s) for s in sums]
        if sum(odds) == 0:
            odds = [math.exp(a - max(aim)) for a in aim]
        prob = [0.0] * len(classes)
        for k, o in zip(at, odds):
            prob[k] = o / sum(odds)
        return {"response": classes[at[aim.index(max(aim))]], "prob": prob}

    predict.inputs = inputs
    predict.classes = classes
    return predict


@NAME@ = _make_@NAME@()
