typedef struct {
  int cls;                   /* the class: @NAME@_class[cls] */
  double score[@N_CLASSES@]; /* the probability of each class */
  double link[@SUMS@];       /* the sums of the trees, one for two classes by gradients */
} @NAME@_result;

/* By tree: the sum that it adds to, or its vote; the initial sums. */
static const int @NAME@_output[] = {@OUTPUT@};
static const double @NAME@_vote[] = {@VOTE@};
static const double @NAME@_base[] = {@BASE@};

void @NAME@(const double *x, @NAME@_result *out) {
  int i, t, trees = (int)(sizeof @NAME@_start / sizeof *@NAME@_start);
  double sums[@N_CLASSES@] = {0}, total = 0;
  for (i = 0; i < @SUMS@; ++i) out->link[i] = @NAME@_base[i];
  for (t = 0; t < trees; ++t) {
    double said[@SCORES@] = {0};
    @NAME@_walk(x, @NAME@_start[t], 1.0, said);
    if (@BY_VOTES@) {
      out->link[@NAME@_chosen(said)] += @NAME@_vote[t];
    } else {
      out->link[@NAME@_output[t]] += said[0];
    }
  }
  /* The only sum of two classes is that of the second; the first has 0. */
  for (i = 0; i < @SUMS@; ++i) sums[@N_CLASSES@ - @SUMS@ + i] = out->link[i];
  out->cls = @NAME@_best(sums, @N_CLASSES@, 1.0);
  for (i = 0; i < @N_CLASSES@; ++i) {
    out->score[i] = exp((sums[i] - sums[out->cls]) / @SCALE@);
    total += out->score[i];
  }
  for (i = 0; i < @N_CLASSES@; ++i) out->score[i] /= total;
}
