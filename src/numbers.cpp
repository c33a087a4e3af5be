// Numbers as text.

#include "marshal.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// Whether reading 15 digits gives x: a whole number below 2^53, divided or multiplied by a power of
// ten that is a double, is rounded once (Clinger, 1990), so every correct reader gets the same.
bool reads_back(const char* text, double x) {
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  double whole = 0.0;
  int shift = 0;
  bool after_point = false;
  for (const char* c = text + (*text == '-'); *c; ++c) {
    if (*c == 'e') {
      shift += std::atoi(c + 1);
      break;
    }
    if (*c >= '0' && *c <= '9') {
      whole = 10.0 * whole + (*c - '0');
      shift -= after_point;
    } else {
      after_point = true;
    }
  }
  if (std::abs(shift) > 22) return false;
  return (shift < 0 ? whole / power[-shift] : whole * power[shift]) == std::fabs(x);
}

}  // namespace

// The shortest decimal text that provably reads back as the same double, otherwise 17 digits.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector tec_exact_numbers_(Rcpp::NumericVector x) {
  Rcpp::CharacterVector out(x.size());
  char text[40];
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    if (R_IsNA(x[i])) {
      out[i] = "NA";
    } else if (!std::isfinite(x[i])) {
      out[i] = std::isnan(x[i]) ? "NaN" : x[i] > 0 ? "Inf" : "-Inf";
    } else {
      std::snprintf(text, sizeof text, "%.15g", x[i]);
      if (!reads_back(text, x[i])) std::snprintf(text, sizeof text, "%.17g", x[i]);
      out[i] = text;
    }
  }
  return out;
}
