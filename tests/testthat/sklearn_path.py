"""The minimal cost-complexity pruning path of scikit-learn's tree.

python3 sklearn_path.py TABLE PATH CRITERION MIN_BUCKET MIN_SPLIT

TABLE is a file of numbers separated by commas; its last two columns are the weights and the
response.
Writes to PATH one line a tree of the sequence: alpha, total impurity of the leaves.
"""
import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

table, path, criterion, min_bucket, min_split = sys.argv[1:6]
data = np.loadtxt(table, delimiter=",", ndmin=2)
x, weight, y = data[:, :-2], data[:, -2], data[:, -1]
maker = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor
found = maker(
    criterion=criterion,
    min_samples_leaf=int(min_bucket),
    min_samples_split=int(min_split),
    random_state=1,
).cost_complexity_pruning_path(x, y, sample_weight=weight)
np.savetxt(path, np.column_stack([found.ccp_alphas, found.impurities]), delimiter=",", fmt="%.17g")
