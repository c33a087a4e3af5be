/* @MODEL@, written by the R package tectree. C99.
 *
 * x[i] is the value of @NAME@_input[i]: a number (NaN if it is missing), days or seconds since
 * 1970 for dates and times (UTC), and for labels what @NAME@_level(i, label) returns. */
#include <math.h>
#include <string.h>

const int @NAME@_inputs = @N_INPUTS@;
const char *const @NAME@_input[] = {@INPUTS@};
const char *const @NAME@_class[] = {@CLASSES@};
static const char *const @NAME@_levels[] = {@LEVELS@};
static const int @NAME@_levels_from[] = {@LEVELS_FROM@};
/* Whether the levels of an input are ordered, and split by their number. */
static const int @NAME@_ordered[] = {@ORDERED@};
/* By tree: its first node. By node, in pre-order: 0 in a leaf, otherwise the input from 1
 * (negative: missing values go right); the right child, or for a leaf its entry in score; what
 * goes left: numbers up to cut, or by level, from cut on: 1 left, 2 right, 0 neither. */
static const int @NAME@_start[] = {@START@};
static const int @NAME@_split[] = {@INPUT@};
static const int @NAME@_right[] = {@RIGHT@};
static const double @NAME@_cut[] = {@CUT@};
static const char @NAME@_side[] = {@SIDE@};
/* By node, if rows with a missing value stop: the entry of its prediction. */
static const int @NAME@_stop[] = {@STOP@};
/* By entry: the shares of a leaf (or its number), and its weight; then those of nodes where rows
 * stop. */
static const double @NAME@_score[][@SCORES@] = {@SCORE@};
static const double @NAME@_weight[] = {@WEIGHT@};
static const double @NAME@_aim[][@SCORES@] = {@AIM@};

@READ@

/* The weight of the leaves below a node. */
static double @NAME@_below(int node) {
  double weight = 0;
  int last = node;
  while (@NAME@_split[last] != 0) last = @NAME@_right[last];
  for (; node <= last; ++node)
    if (@NAME@_split[node] == 0) weight += @NAME@_weight[@NAME@_right[node]];
  return weight;
}

static void @NAME@_add(int entry, double part, double *sum) {
  int i;
  for (i = 0; i < @SCORES@; ++i) sum[i] += part * @NAME@_score[entry][i];
}

static void @NAME@_walk(const double *x, int node, double part, double *sum) {
  int i;
  (void)x;
  while (@NAME@_split[node] != 0) {
    int at = @NAME@_split[node], input = (at < 0 ? -at : at) - 1, to = 0;
    double v = x[input];
    if (@NAME@_levels_from[input + 1] > @NAME@_levels_from[input] && !@NAME@_ordered[input]) {
      if (v >= 1) to = @NAME@_side[(int)@NAME@_cut[node] + (int)v - 1];
    } else if (!@NAME@_ordered[input] || v >= 1) {
      to = v <= @NAME@_cut[node] ? 1 : v > @NAME@_cut[node] ? 2 : 0;
    }
    if (to == 0 && @UNKNOWN@ == 0) to = at < 0 ? 2 : 1;
    if (to == 0) {
      double all = @NAME@_below(node);
      if (@UNKNOWN@ == 2) {
        @NAME@_add(@NAME@_stop[node], part, sum);
        return;
      }
      for (i = 0; i < 2; ++i) {
        int child = i ? @NAME@_right[node] : node + 1;
        double share = @NAME@_below(child) / all;
        if (share > 0) @NAME@_walk(x, child, part * share, sum);
      }
      return;
    }
    node = to == 1 ? node + 1 : @NAME@_right[node];
  }
  @NAME@_add(@NAME@_right[node], part, sum);
}

static int @NAME@_best(const double *x, int n, double margin) {
  double best = x[0];
  int i;
  for (i = 1; i < n; ++i)
    if (x[i] > best) best = x[i];
  for (i = 0; x[i] < best * margin;) ++i;
  return i;
}

/* The class chosen by the shares. */
static int @NAME@_chosen(const double *score) {
  double aim[@SCORES@];
  int i, j;
  for (i = 0; i < @SCORES@; ++i)
    for (aim[i] = 0, j = 0; j < @SCORES@; ++j) aim[i] += score[j] * @NAME@_aim[j][i];
  return @NAME@_best(aim, @SCORES@, @MARGIN@);
}

@END@
