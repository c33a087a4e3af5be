// Marks that distinguish rows from others: see R/marks.R.

#include "marshal.h"

#include <tectree/data/marks.hpp>

// The marks of columns, in two rows; for `rows` or, if NULL, all.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix tec_marks_(Rcpp::List columns, SEXP rows, int threads) {
  return interruptible([&] {
    const R_xlen_t p = columns.size();
    const std::size_t n = p > 0 ? Rf_xlength(columns[0]) : 0;
    const Rcpp::IntegerVector as_numbers(p);
    const tectree::Frame frame = as_frame(columns, as_numbers, as_numbers, n);
    for (const tectree::Column& column : frame.columns)
      if (!column.present()) Rcpp::stop("a column is absent");
    tectree::Sample sample{n};
    if (!Rf_isNull(rows)) sample = {static_cast<std::size_t>(Rf_xlength(rows)), INTEGER(rows)};
    tectree::Team team = make_team(threads);
    Rcpp::NumericMatrix out(2, static_cast<int>(p));
    double* to = out.begin();
    for (const tectree::Mark& mark : tectree::marks_of(frame, sample, team)) {
      *to++ = mark.sum;
      *to++ = mark.size;
    }
    return out;
  });
}
