// The R session around a call: interrupts and time limits, forked processes, and the package's own
// errors.

#include "marshal.h"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace {

// R itself raises the interrupt, or the error of a time limit. As a C++ exception it first ends all
// threads and frees everything; when the call returns to R, Rcpp continues to R's handler.
void let_r_stop_the_call() {
  Rcpp::unwindProtect([] {
    R_CheckUserInterrupt();
    return R_NilValue;
  });
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

tectree::Team make_team(int threads, const std::function<void()>& say) {
  return tectree::Team(forked() ? 1 : std::min(threads, tectree::processors()), [say] {
    let_r_stop_the_call();
    if (say) say();
  });
}

void abort_in_r(const char* topic, const std::string& found) {
  Rcpp::Environment package = Rcpp::Environment::namespace_env("tectree");
  Rcpp::Function abort = package["abort_from_core"];
  abort(topic, found);
  Rcpp::stop(found);
}

// Processors available to this process.
// [[Rcpp::export(rng = false)]]
int tec_cores_() {
  return tectree::processors();
}
