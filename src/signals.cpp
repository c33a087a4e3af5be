// An interrupt from the keyboard reaches all processes of a terminal, the workers of a cluster too:
// R would end them. While they count for a tree they leave it to the process that calls them.
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
