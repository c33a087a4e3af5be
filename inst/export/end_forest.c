typedef struct {
  int cls;                /* the class: @NAME@_class[cls]; -1 for a numeric response */
  double score[@SCORES@]; /* the mean share of each class, or the number */
  double votes[@SCORES@]; /* the share of trees that vote for each class */
} @NAME@_result;

void @NAME@(const double *x, @NAME@_result *out) {
  int i, t, trees = (int)(sizeof @NAME@_start / sizeof *@NAME@_start);
  memset(out, 0, sizeof *out);
  for (t = 0; t < trees; ++t) {
    double sum[@SCORES@] = {0};
    @NAME@_walk(x, @NAME@_start[t], 1.0, sum);
    for (i = 0; i < @SCORES@; ++i) out->score[i] += sum[i];
    if (@IS_CLASS@) out->votes[@NAME@_chosen(sum)] += 1;
  }
  for (i = 0; i < @SCORES@; ++i) {
    out->score[i] /= trees;
    out->votes[i] /= trees;
  }
  out->cls = -1;
  if (!@IS_CLASS@) return;
  out->cls = @BY_VOTES@ ? @NAME@_best(out->votes, @SCORES@, 1 - 1e-12) : @NAME@_chosen(out->score);
}
