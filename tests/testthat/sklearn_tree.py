"""Grows scikit-learn's tree on a table and writes its nodes and each row's leaf.

Usage: sklearn_tree.py TABLE NODES LEAVES CRITERION MIN_BUCKET MIN_SPLIT MAX_DEPTH [NAME=NUMBER ...]
TABLE: comma-separated numbers without a header, the response last.
NODES: left child, right child, impurity, rows of each node. LEAVES: one node number a row, from 0.
"""
import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

table, nodes, leaves, criterion, min_bucket, min_split, max_depth = sys.argv[1:8]
data = np.loadtxt(table, delimiter=",", ndmin=2)
x, y = data[:, :-1], data[:, -1]
others = {name: float(value) for name, value in (pair.split("=") for pair in sys.argv[8:])}
maker = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
fit = maker(
    criterion=criterion,
    splitter="best",
    min_samples_leaf=int(min_bucket),
    min_samples_split=int(min_split),
    max_depth=int(max_depth),
    random_state=1,
    **others,
).fit(x, y)
tree = fit.tree_
np.savetxt(
    nodes,
    np.column_stack([tree.children_left, tree.children_right, tree.impurity, tree.n_node_samples]),
    delimiter=",",
    fmt="%.17g",
)
np.savetxt(leaves, fit.apply(x), fmt="%d")
