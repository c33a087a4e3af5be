// Columns as codes of one or two bytes per value (made in packer.cpp): R vectors (ALTREP) that look
// like any other, whose codes the core reads directly. A request to R for a pointer to their values
// makes a copy of 4 or 8 bytes per value, which is kept.

#include <R_ext/Altrep.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "packed.h"

namespace {

// For numbers, levels (the numbers in the table are theirs) and texts.
R_altrep_class_t number_class, level_class, text_class;

// A packed vector's data1 is list(codes, table), its data2 the copy or NULL.
SEXP table_of(SEXP x) {
  return VECTOR_ELT(R_altrep_data1(x), 1);
}
const SharedCodes& shared_codes(SEXP x) {
  return *static_cast<SharedCodes*>(R_ExternalPtrAddr(VECTOR_ELT(R_altrep_data1(x), 0)));
}
const Codes& codes_of(SEXP x) {
  return *shared_codes(x);
}
bool is_packed(SEXP x) {
  return ALTREP(x) && (R_altrep_inherits(x, number_class) || R_altrep_inherits(x, level_class) ||
                       R_altrep_inherits(x, text_class));
}
bool is_copied(SEXP x) {
  return R_altrep_data2(x) != R_NilValue;
}

SEXP make_packed(R_altrep_class_t of, const SharedCodes& codes, SEXP table) {
  Rcpp::Shield<SEXP> kept(table);
  Rcpp::XPtr<SharedCodes> pointer(new SharedCodes(codes), true);
  Rcpp::Shield<SEXP> data(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(data, 0, pointer);
  SET_VECTOR_ELT(data, 1, table);
  Rcpp::Shield<SEXP> out(R_new_altrep(of, data, R_NilValue));
  MARK_NOT_MUTABLE(out);
  return out;
}

R_xlen_t length_of(SEXP x) {
  return static_cast<R_xlen_t>(codes_of(x).size());
}

SEXP duplicate(SEXP x, Rboolean) {
  if (is_copied(x)) return nullptr;  // as R does
  return R_new_altrep(R_altrep_inherits(x, number_class)  ? number_class
                      : R_altrep_inherits(x, level_class) ? level_class
                                                          : text_class,
                      R_altrep_data1(x), R_NilValue);
}

double number_at(SEXP x, R_xlen_t i) {
  return is_copied(x) ? REAL(R_altrep_data2(x))[i]
                      : REAL(table_of(x))[codes_of(x)[static_cast<std::size_t>(i)]];
}
int level_at(SEXP x, R_xlen_t i) {
  if (is_copied(x)) return INTEGER(R_altrep_data2(x))[i];
  return tectree::Column::code_of(REAL(table_of(x))[codes_of(x)[static_cast<std::size_t>(i)]]);
}
SEXP text_at(SEXP x, R_xlen_t i) {
  return is_copied(x) ? STRING_ELT(R_altrep_data2(x), i)
                      : STRING_ELT(table_of(x), codes_of(x)[static_cast<std::size_t>(i)]);
}

SEXP copy_of(SEXP x) {
  if (is_copied(x)) return R_altrep_data2(x);
  const R_xlen_t n = length_of(x);
  const SEXPTYPE type = TYPEOF(x);
  SEXP out = PROTECT(Rf_allocVector(type, n));
  for (R_xlen_t i = 0; i < n; ++i) {
    if (type == REALSXP) {
      REAL(out)[i] = number_at(x, i);
    } else if (type == INTSXP) {
      INTEGER(out)[i] = level_at(x, i);
    } else {
      SET_STRING_ELT(out, i, text_at(x, i));
    }
  }
  R_set_altrep_data2(x, out);
  UNPROTECT(1);
  return out;
}
void* pointer_to(SEXP x, Rboolean) {
  SEXP copy = copy_of(x);
  if (TYPEOF(x) == REALSXP) return REAL(copy);
  if (TYPEOF(x) == INTSXP) return INTEGER(copy);
  return const_cast<SEXP*>(STRING_PTR_RO(copy));
}
const void* pointer_or_null(SEXP x) {
  return is_copied(x) ? pointer_to(x, FALSE) : nullptr;
}
void set_text(SEXP x, R_xlen_t i, SEXP value) {
  SET_STRING_ELT(copy_of(x), i, value);
}

template <class Value, class At>
R_xlen_t region(SEXP x, R_xlen_t first, R_xlen_t n, Value* to, At at) {
  n = std::min(n, length_of(x) - first);
  for (R_xlen_t i = 0; i < n; ++i) to[i] = at(x, first + i);
  return n;
}
R_xlen_t number_region(SEXP x, R_xlen_t first, R_xlen_t n, double* to) {
  return region(x, first, n, to, number_at);
}
R_xlen_t level_region(SEXP x, R_xlen_t first, R_xlen_t n, int* to) {
  return region(x, first, n, to, level_at);
}

void set_methods(R_altrep_class_t of) {
  R_set_altrep_Length_method(of, length_of);
  R_set_altrep_Duplicate_method(of, duplicate);
  R_set_altvec_Dataptr_method(of, pointer_to);
  R_set_altvec_Dataptr_or_null_method(of, pointer_or_null);
}

// By code, the rank of its value, from 0, missing values last; and the number of ranks.
struct RanksOfCodes {
  std::vector<double> rank;
  double ranks = 0.0;

  explicit RanksOfCodes(SEXP x) {
    const double* value = REAL(table_of(x));
    std::vector<std::size_t> order(static_cast<std::size_t>(Rf_length(table_of(x))));
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto below = [&](std::size_t a, std::size_t b) {
      return value[a] < value[b] || (!std::isnan(value[a]) && std::isnan(value[b]));
    };
    std::sort(order.begin(), order.end(), below);
    rank.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && below(order[i - 1], order[i])) ++ranks;
      rank[order[i]] = ranks;
    }
    ++ranks;
  }
};

}  // namespace

// The codes of a packed vector; none for other vectors, and for one that has been copied.
std::optional<tectree::Packed> as_packed(SEXP x) {
  if (!is_packed(x) || is_copied(x) || TYPEOF(x) == STRSXP) return std::nullopt;
  const Codes& codes = codes_of(x);
  const bool one = codes.two.empty();
  return tectree::Packed{one ? codes.one.data() : nullptr, one ? nullptr : codes.two.data(),
                         REAL(table_of(x))};
}

SEXP packed_numbers(const SharedCodes& codes, SEXP table) {
  return make_packed(number_class, codes, table);
}
SEXP packed_texts(const SharedCodes& codes, SEXP table) {
  return make_packed(text_class, codes, table);
}

int values_of_packed(SEXP x) {
  return Rf_length(table_of(x));
}

// [[Rcpp::init]]
void tec_init_packed_(DllInfo* dll) {
  number_class = R_make_altreal_class("packed_number", "tectree", dll);
  set_methods(number_class);
  R_set_altreal_Elt_method(number_class, number_at);
  R_set_altreal_Get_region_method(number_class, number_region);
  level_class = R_make_altinteger_class("packed_level", "tectree", dll);
  set_methods(level_class);
  R_set_altinteger_Elt_method(level_class, level_at);
  R_set_altinteger_Get_region_method(level_class, level_region);
  text_class = R_make_altstring_class("packed_text", "tectree", dll);
  set_methods(text_class);
  R_set_altstring_Elt_method(text_class, text_at);
  R_set_altstring_Set_elt_method(text_class, set_text);
}

// Whether a vector is packed, and, if `bare`, has not been copied.
// [[Rcpp::export(rng = false)]]
bool tec_is_packed_(SEXP x, bool bare = false) {
  return is_packed(x) && !(bare && is_copied(x));
}

// The values of the codes; NA for those that none of `rows` has, or NULL for all.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector tec_packed_texts_(SEXP x, SEXP rows) {
  Rcpp::CharacterVector table = Rcpp::clone(Rcpp::CharacterVector(table_of(x)));
  if (Rf_isNull(rows)) return table;
  const Codes& codes = codes_of(x);
  std::vector<char> occurs(static_cast<std::size_t>(table.size()));
  for (const int row : Rcpp::IntegerVector(rows))
    occurs[codes[static_cast<std::size_t>(row) - 1]] = 1;
  for (R_xlen_t i = 0; i < table.size(); ++i)
    if (!occurs[static_cast<std::size_t>(i)]) table[i] = NA_STRING;
  return table;
}

// Packed texts as levels. `level`: of each text of the table, or NA.
// [[Rcpp::export(rng = false)]]
SEXP tec_packed_levels_(SEXP x, Rcpp::NumericVector level) {
  return make_packed(level_class, shared_codes(x), level);
}

// Numbers that order rows as these packed numbers and levels do, in as few vectors as possible. For
// `rows`, or NULL for all.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_packed_keys_(Rcpp::List columns, SEXP rows) {
  constexpr double most = 9007199254740992.0;  // whole numbers up to this are exact
  return interruptible([&] {
    Rcpp::List out;
    Rcpp::NumericVector key;
    double ranks = most;
    const int* row = Rf_isNull(rows) ? nullptr : INTEGER(rows);
    for (SEXP column : columns) {
      const Codes& codes = codes_of(column);
      const RanksOfCodes of(column);
      if (ranks * of.ranks > most) {
        key = Rcpp::NumericVector(row ? Rf_xlength(rows) : length_of(column));
        out.push_back(key);
        ranks = 1.0;
      }
      ranks *= of.ranks;
      for (R_xlen_t i = 0; i < key.size(); ++i) {
        const R_xlen_t at = row ? row[i] - 1 : i;
        key[i] = key[i] * of.ranks + of.rank[codes[static_cast<std::size_t>(at)]];
      }
    }
    return out;
  });
}
