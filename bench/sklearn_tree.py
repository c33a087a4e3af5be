"""Time one DecisionTreeClassifier.fit() on raw columns: X, y, rows, columns, depth.

X holds 64-bit floats, one column after the other, y 32-bit class codes; depth 0
is no limit. Prints the seconds of fit(), which narrows X to 32 bits by itself,
and the number of leaves.
"""

import sys
import time

import numpy as np
from sklearn.tree import DecisionTreeClassifier


def main(x_file, y_file, n, p, depth):
    x = np.fromfile(x_file, dtype=np.float64).reshape((int(p), int(n))).T
    y = np.fromfile(y_file, dtype=np.int32)
    settings = {"criterion": "gini", "max_depth": int(depth) or None, "random_state": 0}
    DecisionTreeClassifier(**settings).fit(x[:100], y[:100])  # loads what fit() needs
    start = time.perf_counter()
    tree = DecisionTreeClassifier(**settings).fit(x, y)
    seconds = time.perf_counter() - start
    print(f"{seconds:.6f} {tree.get_n_leaves()}")


if __name__ == "__main__":
    main(*sys.argv[1:])
