# @MODEL@, written by the R package tectree. @NAME@(row) takes a dict with the columns by name and
# returns a dict of @GIVES@.
# None is a missing value; dates and times are days and seconds since 1970 (UTC).
def _make_@NAME@():
    nan = float("nan")
    inputs, levels, ordered = [@INPUTS@], [@LEVELS@], [@ORDERED@]
    classes = [@CLASSES@]
    # By tree: its first node. By node, in pre-order: 0 in a leaf, otherwise the input from 1
    # (negative: missing values go right); the right child, or for a leaf its entry in score; what
    # goes left: numbers up to cut, or by level, from cut on: 1 left, 2 right, 0 neither.
    start = [@START@]
    split = [@INPUT@]
    right = [@RIGHT@]
    cut = [@CUT@]
    side = [@SIDE@]
    # By node, if rows with a missing value stop: the entry of its prediction.
    stop = [@STOP@]
    # By entry: the shares of a leaf (or its number), and its weight; then those of nodes where rows
    # stop.
    score = [@SCORE@]
    weight = [@WEIGHT@]
    # Missing values: 0 go to one side, 1 to both in parts, 2 stop.
    unknown = @UNKNOWN@
    aims = [@AIM@]

@READ@

    def below(node):
        """The weight of the leaves below a node."""
        last = node
        while split[last]:
            last = right[last]
        return sum(weight[right[i]] for i in range(node, last + 1) if not split[i])

    def leaves(x, root):
        """The entries of the nodes where a row ends, with its parts."""
        ends, stack = [], [(root, 1.0)]
        while stack:
            node, part = stack.pop()
            if not split[node]:
                ends.append((right[node], part))
                continue
            i = abs(split[node]) - 1
            if levels[i] is None or ordered[i]:
                to = 1 if x[i] <= cut[node] else 2 if x[i] > cut[node] else 0
            else:
                to = side[cut[node] + x[i] - 1] if x[i] >= 1 else 0
            if to == 0 and unknown == 0:
                to = 2 if split[node] < 0 else 1
            if to:
                stack.append((node + 1 if to == 1 else right[node], part))
                continue
            if unknown == 2:
                ends.append((stop[node], part))
                continue
            total = below(node)
            for child in (right[node], node + 1):
                share = below(child) / total
                if share > 0:
                    stack.append((child, part * share))
        return ends

    def best(x, margin):
        return next(i for i, v in enumerate(x) if v >= max(x) * margin)

    def chosen(prob):
        """The class chosen by the shares."""
        aim = [sum(p * a[i] for p, a in zip(prob, aims)) for i in range(len(prob))]
        return best(aim, @MARGIN@)

@END@
