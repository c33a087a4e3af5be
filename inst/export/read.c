/* 0 if the label is missing (NULL) or was not in training. */
double @NAME@_level(int input, const char *label) {
  int i;
  for (i = @NAME@_levels_from[input]; label && i < @NAME@_levels_from[input + 1]; ++i)
    if (strcmp(@NAME@_levels[i], label) == 0) return i - @NAME@_levels_from[input] + 1;
  return 0;
}
