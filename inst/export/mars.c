/* Regression splines, written by the R package tectree. C99.
 *
 * x[i] is the value of @NAME@_input[i]: a number (NaN if it is missing), days or seconds since
 * 1970 for dates and times (UTC), and for labels what @NAME@_level(i, label) returns. A row with a
 * missing value or an unseen label has no class and the scores NaN. */
#include <math.h>
#include <string.h>

typedef struct {
  int cls;                /* the class: @NAME@_class[cls]; -1 for a numeric response or no class */
  double score[@SCORES@]; /* the probability of each class, or the number */
} @NAME@_result;

const int @NAME@_inputs = @N_INPUTS@;
const char *const @NAME@_input[] = {@INPUTS@};
const char *const @NAME@_class[] = {@CLASSES@};
static const char *const @NAME@_levels[] = {@LEVELS@};
static const int @NAME@_levels_from[] = {@LEVELS_FROM@};
/* Term t is the product of the factors from[t] to from[t + 1] - 1. A factor has an input; the
 * level that it indicates, or 0; its side (1 above the knot, -1 below, 2 the input itself); and
 * the knot. */
static const int @NAME@_from[] = {@FROM@};
static const int @NAME@_factor[] = {@INPUT@};
static const int @NAME@_of_level[] = {@LEVEL@};
static const int @NAME@_side[] = {@SIDE@};
static const double @NAME@_knot[] = {@KNOT@};
/* By term; one column per sum. The classes of the sums, or of the opposite of the only sum and the
 * sum. */
static const double @NAME@_coefficients[][@SUMS@] = {@COEF@};
static const int @NAME@_at[] = {@AT@};

@READ@

void @NAME@(const double *x, @NAME@_result *out) {
  double sum[@SUMS@ + 1] = {0}, odds[@SUMS@ + 1], all = 0;
  int i, t, f, best = 0, n = @N_AT@;
  memset(out, 0, sizeof *out);
  out->cls = -1;
  (void)x;
  for (i = 0; i < @NAME@_inputs; ++i) {
    int labels = @NAME@_levels_from[i + 1] > @NAME@_levels_from[i];
    if (x[i] != x[i] || (labels && x[i] < 1)) {
      for (t = 0; t < @SCORES@; ++t) out->score[t] = NAN;
      return;
    }
  }
  for (t = 0; t < @TERMS@; ++t) {
    double b = 1;
    for (f = @NAME@_from[t]; f < @NAME@_from[t + 1]; ++f) {
      double v = x[@NAME@_factor[f]];
      if (@NAME@_of_level[f] > 0) v = v == @NAME@_of_level[f];
      if (@NAME@_side[f] != 2) {
        v = @NAME@_side[f] * (v - @NAME@_knot[f]);
        if (v < 0) v = 0;
      }
      b *= v;
    }
    for (i = 0; i < @SUMS@; ++i) sum[i] += b * @NAME@_coefficients[t][i];
  }
  if (n == 0) {
    out->score[0] = sum[0];
    return;
  }
  if (@SUMS@ == 1) {
    sum[1] = sum[0];
    sum[0] = 0;
    odds[0] = 1 / (1 + exp(sum[1]));
    odds[1] = 1 / (1 + exp(-sum[1]));
  } else {
    for (i = 0; i < @SUMS@; ++i) odds[i] = 1 / (1 + exp(-sum[i]));
  }
  for (i = 0; i < n; ++i) {
    if (sum[i] > sum[best]) best = i;
    all += odds[i];
  }
  if (all == 0) {
    for (i = 0; i < n; ++i) all += odds[i] = exp(sum[i] - sum[best]);
  }
  for (i = 0; i < n; ++i) out->score[@NAME@_at[i]] = odds[i] / all;
  out->cls = @NAME@_at[best];
}
