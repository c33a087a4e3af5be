// A case in words, and as R code that makes the same problem.
#pragma once

#include <sstream>
#include <string>

#include "roads/problem.h"

namespace roads {

inline std::string number_text(double v) {
  if (std::isnan(v)) return "NA";
  if (std::isinf(v)) return v > 0 ? "Inf" : "-Inf";
  std::ostringstream out;
  out.precision(17);
  out << v;
  return out.str();
}

template <class T>
std::string r_vector(const std::vector<T>& values) {
  std::string out = "c(";
  for (std::size_t i = 0; i < values.size(); ++i)
    out += (i > 0 ? ", " : "") + number_text(static_cast<double>(values[i]));
  return out + ")";
}

inline std::string r_column(const Table& t, std::size_t c) {
  if (t.kind[c] == tectree::Kind::numeric) return r_vector(t.x[c]);
  const std::string ordered = t.kind[c] == tectree::Kind::ordered ? ", ordered = TRUE" : "";
  return "factor(" + r_vector(t.x[c]) + ", levels = 1:" + std::to_string(t.n_levels[c]) + ordered +
         ")";
}

inline std::string r_data(const Table& t) {
  std::string out = "d <- data.frame(\n";
  for (std::size_t c = 0; c < t.x.size(); ++c)
    out += "  x" + std::to_string(c + 1) + " = " + r_column(t, c) + ",\n";
  out += t.n_classes > 0
             ? "  y = factor(" + r_vector(t.y) + ", levels = 1:" + std::to_string(t.n_classes) + ")"
             : "  y = " + r_vector(t.number);
  return out + "\n)\n";
}

// One setting after another, with R's names.
inline std::string r_settings(const Case& c) {
  using tectree::SearchControl;
  const Setting& s = c.setting;
  std::ostringstream out;
  const bool has_q = s.criterion.rfind("tsallis", 0) == 0;
  if (has_q || s.criterion == "beta") {
    out << "criterion = tec_criterion(\"" << s.criterion << "\", " << (has_q ? "q = " : "beta = ")
        << number_text(s.parameter) << ")";
  } else {
    out << "criterion = \"" << s.criterion << '"';
  }
  out << ", min_bucket = " << number_text(s.control.min_bucket)
      << ", min_split = " << number_text(s.stop.min_split)
      << ", max_depth = " << number_text(s.stop.max_depth)
      << ", max_leaves = " << number_text(s.stop.max_leaves)
      << ", min_gain = " << number_text(s.control.min_gain);
  const char* nominal[] = {"binary", "multiway", "ordered"};
  out << ", nominal = \"" << nominal[static_cast<int>(s.control.nominal)] << '"';
  out << ", free_levels = " << number_text(s.control.free_levels);
  out << ", intervals = " << s.control.intervals;
  if (s.control.max_columns > 0) out << ", max_features = " << s.control.max_columns;
  if (s.control.random_ties) out << ", ties = \"random\"";
  if (s.control.random_cuts) out << ", splitter = \"random\"";
  const char* eligible[] = {"", "all", "mean", "mean_sd"};
  if (s.control.eligible != tectree::Eligible::own)
    out << ", eligible = \"" << eligible[static_cast<int>(s.control.eligible)] << '"';
  const char* rules[] = {"exact", "c45", "chaid", "chaid_exhaustive"};
  if (s.control.rules != SearchControl::Rules::exact)
    out << ", rules = \"" << rules[static_cast<int>(s.control.rules)] << '"';
  if (s.control.by_chaid())
    out << ", alpha_split = " << number_text(s.control.alpha_split)
        << ", alpha_resplit = " << number_text(s.control.alpha_resplit);
  if (s.stop.has_test()) out << ", max_p = " << number_text(s.stop.max_p);
  if (s.stop.has_test() && s.stop.permutations > 0)
    out << ", p_by = \"permutation\", permutations = " << s.stop.permutations;
  out << ", missing = \"" << c.missing << '"';
  return out.str();
}

inline std::string in_words(const Case& c) {
  std::ostringstream out;
  out << c.rows() << " rows, ";
  if (c.is_class()) {
    out << c.table.n_classes << " classes, ";
  }
  out << c.table.x.size() << " columns, small nodes of " << c.small << " rows; " << r_settings(c);
  if (!c.table.weight.empty()) out << "; weights";
  if (!c.table.size.empty()) out << "; sizes " << r_vector(c.table.size);
  if (!c.factors.plain()) out << "; class factors";
  if (!c.loss.empty()) out << "; losses";
  return out.str();
}

inline std::string r_call(const Case& c) {
  std::string out = r_data(c.table) + "tec_tree(y ~ ., d, " + r_settings(c) + ", prune = \"none\"";
  if (!c.table.weight.empty()) out += ",\n  weights = " + r_vector(c.table.weight);
  if (!c.factors.plain()) out += ",\n  class_weights = " + r_vector(c.factors.split);
  if (!c.loss.empty())
    out += ",\n  cost = matrix(" + r_vector(c.loss.cost) + ", " +
           std::to_string(c.table.n_classes) +
           ", byrow = TRUE, dimnames = list(1:" + std::to_string(c.table.n_classes) +
           ", 1:" + std::to_string(c.table.n_classes) + "))";
  return out + ")\n";
}

}  // namespace roads
