// The R session around a call: whether the user wants to stop, whether the process was forked, and
// the package's own errors.

#include "marshal.h"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace {

void check_interrupt(void*) {
  R_CheckUserInterrupt();
}

bool user_wants_to_stop() {
  return R_ToplevelExec(check_interrupt, nullptr) == FALSE;
}

#ifndef _WIN32
const pid_t loaded_in = getpid();
bool forked() {
  return getpid() != loaded_in;
}
#else
bool forked() {
  return false;
}
#endif

}  // namespace

tectree::Team make_team(int threads) {
  return tectree::Team(forked() ? 1 : std::min(threads, tectree::processors()), user_wants_to_stop);
}

void abort_in_r(const char* topic, const std::string& found) {
  Rcpp::Environment package = Rcpp::Environment::namespace_env("tectree");
  Rcpp::Function abort = package["abort_from_core"];
  abort(topic, found);
  Rcpp::stop(found);
}

// Processors this process may use.
// [[Rcpp::export]]
int tec_cores_() {
  return tectree::processors();
}
