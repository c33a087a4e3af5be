#include <stdio.h>
#include <stdlib.h>
int main(void) {
  static char line[1 << 20], text[1 << 20];
  double x[@N_INPUTS@ + 1];
  @NAME@_result r;
  while (fgets(line, sizeof line, stdin)) {
    char *token = strtok(line, "\t\n");
    for (int i = 0; i < @NAME@_inputs; ++i, token = strtok(NULL, "\t\n")) {
      int labels = @NAME@_levels_from[i + 1] > @NAME@_levels_from[i];
      if (token[0] == 'h') {
        char *to = text;
        for (char *p = token + 1; *p; p += 2) {
          char pair[3] = {p[0], p[1], 0};
          *to++ = (char)strtol(pair, NULL, 16);
        }
        *to = 0;
        x[i] = @NAME@_level(i, text);
      } else if (labels) {
        x[i] = @NAME@_level(i, NULL);
      } else {
        x[i] = token[0] == '_' ? NAN : strtod(token, NULL);
      }
    }
    @NAME@(x, &r);
    printf("%d\t", r.node);
    if (r.cls >= 0) {
      putchar('h');
      for (const char *p = @NAME@_class[r.cls]; *p; ++p) printf("%02x", (unsigned char)*p);
    } else {
      putchar('_');
    }
    for (int k = 0; k < @SCORES@; ++k) printf("\t%.17g", r.score[k]);
    putchar('\n');
  }
  return 0;
}
