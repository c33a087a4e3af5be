/* A decision tree, written by the R package tectree. C99.
 *
 * x[i] is the value of @NAME@_input[i]: a number (NaN if it is missing), days or seconds since
 * 1970 for dates and times (UTC), and for labels what @NAME@_level(i, label) returns. */
#include <math.h>
#include <string.h>

typedef struct {
  int node;              /* where the row ends, from 1; for several parts the largest */
  int cls;               /* the class: @NAME@_class[cls]; -1 for a numeric response */
  double score[@SCORES@]; /* the share of each class, or the number */
} @NAME@_result;

const int @NAME@_inputs = @N_INPUTS@;
const char *const @NAME@_input[] = {@INPUTS@};
const char *const @NAME@_class[] = {@CLASSES@};
static const char *const @NAME@_levels[] = {@LEVELS@};
static const int @NAME@_levels_from[] = {@LEVELS_FROM@};
/* By node: its class, its shares (or its number), and where its parts are stored below. */
static const int @NAME@_value[] = {@VALUE@};
static const double @NAME@_score[][@SCORES@] = {@SCORE@};
static const int @NAME@_parts[] = {@PARTS_FROM@}, @NAME@_part_to[] = {@PART_TO@};
static const double @NAME@_part[] = {@PART@};
static const double @NAME@_aim[][@SCORES@] = {@AIM@};

@READ@

/* The next node: the node itself if the row ends, 0 if it continues in parts. */
static int @NAME@_next(int node, const double *x) {
  (void)x;
  switch (node) {
@NEXT@
  default: return node;
  }
}

static void @NAME@_walk(const double *x, int node, double part, double *largest, int *ends,
                        @NAME@_result *out) {
  int to, i;
  while ((to = @NAME@_next(node, x)) != node && to != 0) node = to;
  if (to == 0) {
    for (i = @NAME@_parts[node - 1]; i < @NAME@_parts[node]; ++i)
      @NAME@_walk(x, @NAME@_part_to[i], part * @NAME@_part[i], largest, ends, out);
    return;
  }
  ++*ends;
  if (part > *largest * (1 + 1e-12)) {
    *largest = part;
    out->node = node;
  }
  for (i = 0; i < @SCORES@; ++i) out->score[i] += part * @NAME@_score[node - 1][i];
}

void @NAME@(const double *x, @NAME@_result *out) {
  double largest = 0, sum = 0, best = 0, aim[@SCORES@];
  int i, j, ends = 0;
  memset(out, 0, sizeof *out);
  @NAME@_walk(x, 1, 1.0, &largest, &ends, out);
  out->cls = @NAME@_value[out->node - 1];
  if (ends < 2 || out->cls < 0) return;
  for (i = 0; i < @SCORES@; ++i) sum += out->score[i];
  for (i = 0; i < @SCORES@; ++i) out->score[i] /= sum;
  for (i = 0; i < @SCORES@; ++i) {
    for (aim[i] = 0, j = 0; j < @SCORES@; ++j) aim[i] += out->score[j] * @NAME@_aim[j][i];
    if (i == 0 || aim[i] > best) best = aim[i];
  }
  for (i = 0; aim[i] < best * (@MARGIN@);) ++i;
  out->cls = i;
}
