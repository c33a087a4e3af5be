// An interrupt from the keyboard reaches all processes of a terminal, including the workers of a
// cluster, which R would end. While they count for a tree they leave it to the calling process.
#include <Rcpp.h>

#include <csignal>

// [[Rcpp::export(rng = false)]]
void tec_ignore_interrupts_(bool ignore) {
  static void (*usual)(int) = nullptr;
  static bool ignored = false;
  if (ignore == ignored) return;
  if (ignore) {
    usual = std::signal(SIGINT, SIG_IGN);
  } else {
    std::signal(SIGINT, usual);
  }
  ignored = ignore;
}
