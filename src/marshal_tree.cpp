// A tree as a list of R vectors, and back: first rows, columns and classes are 0 in C++ and 1 in R;
// none is -1 in C++ and NA in R.

#include "marshal.h"

using Rcpp::as;

namespace {

Rcpp::IntegerVector plus_one(const std::vector<int>& v) {
  Rcpp::IntegerVector out(v.size());
  std::transform(v.begin(), v.end(), out.begin(), [](int x) { return x + 1; });
  return out;
}

std::vector<int> minus_one(const Rcpp::List& tree, const char* name) {
  std::vector<int> out = as<std::vector<int>>(tree[name]);
  for (int& x : out) x = x == NA_INTEGER ? -1 : x - 1;
  return out;
}

// A list that is made once all its fields are known: a growing list is copied for each.
class Fields {
 public:
  template <class T>
  void add(const char* name, const T& value) {
    names_.push_back(name);
    values_.emplace_back(Rcpp::wrap(value));
  }
  Rcpp::List list() const {
    Rcpp::List out(values_.begin(), values_.end());
    out.names() = Rcpp::CharacterVector(names_.begin(), names_.end());
    return out;
  }

 private:
  std::vector<const char*> names_;
  std::vector<Rcpp::RObject> values_;
};

// The values of inner nodes; NA in leaves.
template <class Vector, class Values>
Vector inner_only(const tectree::Tree& tree, const Values& values) {
  Vector out(tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind[i] == 0) {
      out[i] = Vector::get_na();
    } else {
      out[i] = values[i];
    }
  }
  return out;
}

// NA in leaves, and if rows with a missing value stop.
Rcpp::IntegerVector default_children(const tectree::Tree& tree) {
  Rcpp::IntegerVector out = inner_only<Rcpp::IntegerVector>(tree, tree.default_child);
  for (R_xlen_t i = 0; i < out.size(); ++i) {
    if (out[i] == tectree::no_branch) out[i] = NA_INTEGER;
  }
  return out;
}

void read_surrogates(const Rcpp::List& list, tectree::Tree& tree) {
  const int unknown = as<int>(list["unknown"]);
  if (unknown < 0 || unknown > 2) throw tectree::DamagedTree("how it takes missing values");
  tree.unknown = static_cast<tectree::UnknownRows>(unknown);
  tree.by_surrogate = as<bool>(list["by_surrogate"]);
  tectree::SurrogatePools& s = tree.surrogates;
  s.start = as<std::vector<int>>(list["surrogate_start"]);
  s.count = as<std::vector<int>>(list["surrogate_count"]);
  s.variable = minus_one(list, "surrogate_variable");
  s.kind = as<std::vector<int>>(list["surrogate_kind"]);
  s.flipped = as<std::vector<int>>(list["surrogate_flipped"]);
  s.cut = as<std::vector<double>>(list["surrogate_cut"]);
  s.level_start = as<std::vector<int>>(list["surrogate_level_start"]);
  s.level_count = as<std::vector<int>>(list["surrogate_level_count"]);
  s.agree = as<std::vector<double>>(list["surrogate_agree"]);
  s.adj = as<std::vector<double>>(list["surrogate_adj"]);
}

// Inner nodes without a default branch have NA there.
void read_default_children(const Rcpp::List& list, tectree::Tree& tree) {
  tree.default_child = as<std::vector<int>>(list["default_child"]);
  for (int& x : tree.default_child) x = x == NA_INTEGER ? tectree::no_branch : x;
}

}  // namespace

Rcpp::List as_list(const tectree::Tree& tree) {
  const int k = tree.n_classes;
  const R_xlen_t n = tree.size();
  Rcpp::NumericMatrix prob(n, k);
  for (R_xlen_t i = 0; i < n; ++i) {
    for (int s = 0; s < k; ++s) prob(i, s) = tree.share[i * k + s];
  }
  Rcpp::NumericVector yval(tree.yval.begin(), tree.yval.end());
  if (k > 0) {
    for (double& y : yval) y += 1.0;
  }
  Fields out;
  out.add("parent", plus_one(tree.parent));
  out.add("depth", tree.depth);
  out.add("kind", tree.kind);
  out.add("variable", plus_one(tree.variable));
  out.add("n_children", tree.n_children);
  out.add("child_start", tree.child_start);
  out.add("child", plus_one(tree.child));
  out.add("break_start", tree.break_start);
  out.add("break_count", tree.break_count);
  out.add("breaks", tree.breaks);
  out.add("level_start", tree.level_start);
  out.add("level_count", tree.level_count);
  out.add("level", tree.level);
  out.add("level_child", tree.level_child);
  out.add("default_child", default_children(tree));
  out.add("n", tree.n);
  out.add("weight", tree.weight);
  out.add("yval", yval);
  out.add("impurity", tree.impurity);
  out.add("gain", inner_only<Rcpp::NumericVector>(tree, tree.gain));
  out.add("score", inner_only<Rcpp::NumericVector>(tree, tree.score));
  out.add("exact", inner_only<Rcpp::LogicalVector>(tree, tree.exact));
  out.add("prob", prob);
  const auto tested = [](const tectree::Test& t) { return t.exists(); };
  if (std::any_of(tree.test.begin(), tree.test.end(), tested)) {
    Rcpp::NumericMatrix test(n, 5);
    for (R_xlen_t i = 0; i < n; ++i) {
      const tectree::Test& t = tree.test[i];
      const double of[] = {t.statistic, t.df, t.df2, t.log_p, t.log_times};
      for (int j = 0; j < 5; ++j) test(i, j) = t.exists() ? of[j] : NA_REAL;
    }
    Rcpp::colnames(test) =
        Rcpp::CharacterVector::create("statistic", "df", "df2", "log_p", "log_times");
    out.add("test", test);
  }
  out.add("unknown", static_cast<int>(tree.unknown));
  out.add("by_surrogate", tree.by_surrogate);
  const tectree::SurrogatePools& s = tree.surrogates;
  out.add("surrogate_start", s.start);
  out.add("surrogate_count", s.count);
  out.add("surrogate_variable", plus_one(s.variable));
  out.add("surrogate_kind", s.kind);
  out.add("surrogate_flipped", Rcpp::LogicalVector(s.flipped.begin(), s.flipped.end()));
  out.add("surrogate_cut", s.cut);
  out.add("surrogate_level_start", s.level_start);
  out.add("surrogate_level_count", s.level_count);
  out.add("surrogate_agree", s.agree);
  out.add("surrogate_adj", s.adj);
  return out.list();
}

tectree::Tree as_tree(const Rcpp::List& list) {
  tectree::Tree tree;
  try {
    tree.parent = minus_one(list, "parent");
    tree.kind = as<std::vector<int>>(list["kind"]);
    tree.variable = minus_one(list, "variable");
    tree.n_children = as<std::vector<int>>(list["n_children"]);
    tree.child_start = as<std::vector<int>>(list["child_start"]);
    tree.child = minus_one(list, "child");
    tree.break_start = as<std::vector<int>>(list["break_start"]);
    tree.break_count = as<std::vector<int>>(list["break_count"]);
    tree.breaks = as<std::vector<double>>(list["breaks"]);
    tree.level_start = as<std::vector<int>>(list["level_start"]);
    tree.level_count = as<std::vector<int>>(list["level_count"]);
    tree.level = as<std::vector<int>>(list["level"]);
    tree.level_child = as<std::vector<int>>(list["level_child"]);
    tree.weight = as<std::vector<double>>(list["weight"]);
    read_default_children(list, tree);
    read_surrogates(list, tree);
  } catch (const std::exception& e) {
    throw tectree::DamagedTree(e.what());
  }
  for (const auto* v :
       {&tree.kind, &tree.variable, &tree.n_children, &tree.child_start, &tree.break_start,
        &tree.break_count, &tree.level_start, &tree.level_count, &tree.default_child}) {
    if (v->size() != tree.size()) throw tectree::DamagedTree("its vectors differ in length");
  }
  return tree;
}

tectree::Tree as_described_tree(const Rcpp::List& list) {
  tectree::Tree tree = as_tree(list);
  const std::size_t n = tree.size();
  try {
    tree.depth = as<std::vector<int>>(list["depth"]);
    for (auto [name, values] : {std::pair<const char*, std::vector<double>*>{"n", &tree.n},
                                {"weight", &tree.weight},
                                {"yval", &tree.yval},
                                {"impurity", &tree.impurity},
                                {"gain", &tree.gain},
                                {"score", &tree.score}}) {
      *values = as<std::vector<double>>(list[name]);
      if (values->size() != n) throw tectree::DamagedTree("its vectors differ in length");
    }
    const Rcpp::LogicalVector exact = list["exact"];
    const Rcpp::NumericMatrix prob = list["prob"];
    if (static_cast<std::size_t>(exact.size()) != n || static_cast<std::size_t>(prob.nrow()) != n)
      throw tectree::DamagedTree("its vectors differ in length");
    for (int e : exact) tree.exact.push_back(static_cast<signed char>(e == NA_LOGICAL ? -1 : e));
    tree.test.resize(n);
    if (list.containsElementNamed("test") && !Rf_isNull(list["test"])) {
      const Rcpp::NumericMatrix test = list["test"];
      if (test.ncol() != 5 || static_cast<std::size_t>(test.nrow()) != n)
        throw tectree::DamagedTree("its tests do not fit its nodes");
      for (std::size_t i = 0; i < n; ++i) {
        if (!Rcpp::NumericVector::is_na(test(i, 1)))
          tree.test[i] = {test(i, 0), test(i, 1), test(i, 2), test(i, 3), test(i, 4)};
      }
    }
    const int k = tree.n_classes = prob.ncol();
    tree.share.resize(n * k);
    for (std::size_t i = 0; i < n; ++i) {
      for (int s = 0; s < k; ++s) tree.share[i * k + s] = prob(i, s);
      if (k > 0) tree.yval[i] -= 1.0;
      const bool is_class = k == 0 || (tree.yval[i] >= 0 && tree.yval[i] < k);
      if (!is_class) throw tectree::DamagedTree("a class is out of range");
    }
  } catch (const tectree::DamagedTree&) {
    throw;
  } catch (const std::exception& e) {
    throw tectree::DamagedTree(e.what());
  }
  return tree;
}

void check_columns(const tectree::Tree& tree, const tectree::Frame& frame) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind[i] == 0) continue;
    const tectree::Column& column = frame.columns[tree.variable[i]];
    const bool number = tree.kind[i] <= static_cast<int>(tectree::SplitKind::intervals);
    if (!column.present() || (!number && !column.has_levels()))
      throw tectree::DamagedTree("column " + std::to_string(tree.variable[i] + 1) +
                                 " does not exist");
  }
}

tectree::NodeRisk as_risk(const Rcpp::List& risk, int n_classes) {
  tectree::NodeRisk out;
  if (!Rf_isNull(risk["loss"])) out.loss.cost = as<std::vector<double>>(risk["loss"]);
  const std::size_t cells = static_cast<std::size_t>(n_classes) * n_classes;
  if (!out.loss.empty() && out.loss.cost.size() != cells)
    throw tectree::DamagedTree("its loss matrix and its classes differ");
  out.impurity = as<bool>(risk["impurity"]) || n_classes == 0;
  return out;
}

tectree::PenaltyRule as_penalty_rule(const std::string& rule) {
  return rule == "rpart" ? tectree::PenaltyRule::rpart : tectree::PenaltyRule::weakest_link;
}
