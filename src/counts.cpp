// Growth from counts that R requests, wherever the rows are: see grow/counted/ledger.hpp.
#include "marshal.h"

#include <variant>

#include <tectree/grow/counted/classes_of_cells.hpp>
#include <tectree/grow/counted/grow_collected.hpp>
#include <tectree/grow/counted/ledger.hpp>
#include <tectree/grow/counted/numbers_of_cells.hpp>

using Rcpp::as;
using tectree::Team;
using tectree::Tree;

namespace {

using OfClasses = tectree::Ledger<tectree::ClassesOfCells>;
using OfNumbers = tectree::Ledger<tectree::NumbersOfCells>;

// What growth keeps from call to call. R's list keeps the vectors alive that `m` points into.
struct CountedGrowth {
  Rcpp::List list;
  MarshalledProblem m;
  std::shared_ptr<const tectree::Codes> codes;
  std::variant<std::unique_ptr<OfClasses>, std::unique_ptr<OfNumbers>> ledger;
  std::vector<int> asked;
  int bits = 0;  // of a digit of sums
};

CountedGrowth& growth_of(SEXP pointer) {
  return *Rcpp::XPtr<CountedGrowth>(pointer).checked_get();
}

// The sums with a name: `name`, followed by `name`1, ..., the higher digits in base 2^bits.
class Sums {
 public:
  Sums(const Rcpp::List& cells, const std::string& name, int bits) : bits_(bits) {
    digits_.push_back(cells[name]);
    for (int k = 1; cells.containsElementNamed((name + std::to_string(k)).c_str()); ++k)
      digits_.push_back(cells[name + std::to_string(k)]);
  }
  tectree::WideInt at(R_xlen_t i) const {
    tectree::WideInt out;
    for (std::size_t k = 0; k < digits_.size(); ++k)
      out += tectree::WideInt(digits_[k][i], static_cast<int>(k) * bits_);
    return out;
  }

 private:
  std::vector<Rcpp::NumericVector> digits_;
  int bits_;
};

// The cells passed by R, from 0 and the missing code last, by node.
template <class Cell>
struct IsValueCell : std::false_type {
  using Plain = Cell;
};
template <class Cell>
struct IsValueCell<tectree::ValueCell<Cell>> : std::true_type {
  using Plain = Cell;
};

template <class Cell>
std::map<int, std::vector<Cell>> cells_by_node(const Rcpp::List& cells, const tectree::Codes& codes,
                                               int bits) {
  using Plain = typename IsValueCell<Cell>::Plain;
  const Rcpp::IntegerVector node = cells["node"], column = cells["column"], code = cells["code"];
  const Rcpp::NumericVector n = cells["n"], rows = cells["rows"];
  std::map<int, std::vector<Cell>> out;
  Rcpp::IntegerVector label;
  Rcpp::NumericVector value, least;
  std::optional<Sums> sum, squares;
  if constexpr (IsValueCell<Cell>()) {
    value = cells["value"];
    least = cells["least"];
  }
  if constexpr (std::is_same_v<Plain, tectree::ClassCell>) {
    label = cells["class"];
  } else {
    sum.emplace(cells, "sum", bits);
    squares.emplace(cells, "squares", bits);
  }
  for (R_xlen_t i = 0; i < node.size(); ++i) {
    const auto c = static_cast<std::uint32_t>(column[i] - 1);
    if (c >= codes.size()) Rcpp::stop("a cell has an unknown column");
    const int k = codes[c].codes;
    if (code[i] < 0 || code[i] > k) Rcpp::stop("a cell has a code that its column lacks");
    const int at = code[i] == 0 ? k : code[i] - 1;
    const auto plain_cell = [&]() -> Plain {
      if constexpr (std::is_same_v<Plain, tectree::ClassCell>) {
        return {c, at, label[i] - 1, n[i], rows[i]};
      } else {
        return {c, at, n[i], sum->at(i), squares->at(i), rows[i]};
      }
    };
    if constexpr (IsValueCell<Cell>()) {
      out[node[i] - 1].push_back({plain_cell(), value[i] + 0.0, least[i] + 0.0});
    } else {
      out[node[i] - 1].push_back(plain_cell());
    }
  }
  return out;
}

SEXP as_conflict(const std::optional<tectree::Conflict>& conflict) {
  if (!conflict) return R_NilValue;
  using Rcpp::_;
  return Rcpp::List::create(_["node"] = conflict->node + 1, _["column"] = conflict->column + 1,
                            _["class"] = conflict->label + 1, _["promised"] = conflict->promised,
                            _["found"] = conflict->found);
}

std::shared_ptr<const tectree::Codes> as_codes(const Rcpp::List& values,
                                               const Rcpp::LogicalVector& bins) {
  auto out = std::make_shared<tectree::Codes>();
  for (R_xlen_t c = 0; c < values.size(); ++c) {
    out->push_back(tectree::exact_codes(as<std::vector<double>>(values[c])));
    out->back().exact = bins[c] == 0;
  }
  return out;
}

// The tree so far as nested lists, down to the nodes asked for, which are numbers from 1.
template <class Ledger>
class FrontierList {
 public:
  FrontierList(const Ledger& ledger, const std::vector<int>& ids)
      : ledger_(ledger), wanted_(ledger.entries().size(), 0) {
    for (int id : ids) {
      for (int at = id; at >= 0 && wanted_[at] == 0; at = ledger.entries()[at].parent)
        wanted_[at] = 1;
      wanted_[id] = 2;
    }
  }
  SEXP at(int id) const {
    if (wanted_[id] == 0) return R_NilValue;
    if (wanted_[id] == 2) return Rcpp::wrap(id + 1);
    const auto& entry = ledger_.entries()[id];
    const int column = entry.winner->split.column;
    const int codes = ledger_.chooser().codes()[column].codes;
    Rcpp::List children(entry.children.size());
    for (R_xlen_t j = 0; j < children.size(); ++j) children[j] = at(entry.children[j]);
    using Rcpp::_;
    if (ledger_.cuts_a_bin(id)) {
      return Rcpp::List::create(_["column"] = column + 1, _["at"] = entry.winner->split.breaks[0],
                                _["missing"] = ledger_.branch_of(id, codes) + 1,
                                _["children"] = children);
    }
    Rcpp::IntegerVector branch(codes + 1);
    branch[0] = ledger_.branch_of(id, codes) + 1;
    for (int k = 0; k < codes; ++k) branch[k + 1] = ledger_.branch_of(id, k) + 1;
    return Rcpp::List::create(_["column"] = column + 1, _["branch"] = branch,
                              _["children"] = children);
  }

 private:
  const Ledger& ledger_;
  std::vector<char> wanted_;
};

template <class Ledger>
Rcpp::List as_asks(const Ledger& ledger, const std::vector<int>& ids) {
  const auto rows = [&](int id) { return ledger.entries()[id].rows; };
  Rcpp::NumericVector n(ids.size());
  std::transform(ids.begin(), ids.end(), n.begin(), rows);
  Rcpp::IntegerVector id(ids.begin(), ids.end());
  for (int& x : id) ++x;
  using Rcpp::_;
  return Rcpp::List::create(_["frontier"] = FrontierList<Ledger>(ledger, ids).at(0), _["id"] = id,
                            _["rows"] = n);
}

// The bins to look into, or parts of these: then `from` and `to` are their values, otherwise NA.
template <class Ledger>
Rcpp::List as_looks(const Ledger& ledger) {
  std::vector<int> ids, node, column, code, place;
  std::vector<double> from, to, size;
  for (const auto& look : ledger.to_look()) {
    if (ids.empty() || ids.back() != look.id) ids.push_back(look.id);
    node.push_back(look.id + 1);
    column.push_back(static_cast<int>(look.bin.column) + 1);
    code.push_back(look.bin.code + 1);
    place.push_back(look.bin.place);
    from.push_back(look.bin.whole() ? NA_REAL : look.bin.least);
    to.push_back(look.bin.whole() ? NA_REAL : look.bin.most);
    size.push_back(look.bin.size);
  }
  using Rcpp::_;
  return Rcpp::List::create(_["frontier"] = FrontierList<Ledger>(ledger, ids).at(0),
                            _["node"] = node, _["column"] = column, _["code"] = code,
                            _["place"] = place, _["from"] = from, _["to"] = to, _["size"] = size);
}

// The position of each node of the tree in the ledger.
template <class Ledger>
std::vector<int> places(const Ledger& ledger, const Tree& tree) {
  std::vector<int> id(tree.size(), 0);
  for (std::size_t v = 0; v < tree.size(); ++v) {
    const auto& entry = ledger.entries()[id[v]];
    for (int j = 0; tree.kind[v] != 0 && j < tree.n_children[v]; ++j)
      id[tree.child[tree.child_start[v] + j]] = entry.children[j];
  }
  return id;
}

int depth_of(const std::vector<int>& parent, int id) {
  int depth = 0;
  for (int at = parent[id]; at >= 0; at = parent[at]) ++depth;
  return depth;
}

}  // namespace

// Growth of a tree whose root has these cells. `problem`: see core_problem(), without values and
// rows; `values`: of each column, level codes if it has levels. The cells are a list of vectors by
// cell: node, column, code (0: missing), class or sum and squares, n, rows. Numbers are `centre`
// plus their sums, in multiples of `unit`; the digits of sums are in base 2^bits. Nodes of at most
// `few` rows are collected. `bins`: the columns whose codes are bins, with their upper edges as
// values; with `looks` they are looked into if they may contain the best cut. list(growth =,
// bounded = whether the criterion has a bound for that, conflict = NULL or what does not add up)
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_counted_(Rcpp::List problem, Rcpp::List values, Rcpp::LogicalVector bins,
                        Rcpp::List cells, double few, double centre, double unit, int bits,
                        bool looks) {
  return interruptible([&] {
    auto growth = std::make_unique<CountedGrowth>();
    growth->list = problem;
    growth->bits = bits;
    growth->m = as_problem(problem);
    Team team = make_team(growth->m.threads);
    growth->m.bring_to_scale(team);
    growth->codes = as_codes(values, bins);
    const tectree::Problem& p = growth->m.problem;
    std::optional<tectree::Conflict> conflict;
    bool bounded = true;
    if (p.response.is_class()) {
      auto root = std::move(cells_by_node<tectree::ClassCell>(cells, *growth->codes, bits)[0]);
      auto chooser = std::make_shared<tectree::ClassesOfCells>(p, growth->codes, root, team);
      bounded = chooser->bounded();
      auto ledger = std::make_unique<OfClasses>(std::move(chooser), std::move(root), p.seed, few,
                                                looks && bounded);
      conflict = ledger->conflict();
      growth->ledger = std::move(ledger);
    } else {
      auto root = std::move(cells_by_node<tectree::SumCell>(cells, *growth->codes, bits)[0]);
      auto chooser = std::make_shared<tectree::NumbersOfCells>(p, growth->codes, centre, unit);
      auto ledger =
          std::make_unique<OfNumbers>(std::move(chooser), std::move(root), p.seed, few, looks);
      conflict = ledger->conflict();
      growth->ledger = std::move(ledger);
    }
    using Rcpp::_;
    return Rcpp::List::create(_["growth"] = Rcpp::XPtr<CountedGrowth>(growth.release(), true),
                              _["bounded"] = bounded, _["conflict"] = as_conflict(conflict));
  });
}

// Grows as far as is known. list(ask =) or list(collect =), the nodes to ask for, or to collect,
// next, each list(frontier =, id =, rows =); or list(tree =, found = how each of its nodes was
// searched, id = the numbers of these).
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_counted_grow_(SEXP growth) {
  return interruptible([&] {
    CountedGrowth& g = growth_of(growth);
    const MarshalledProblem& m = g.m;
    Team team = make_team(m.threads);
    return std::visit(
        [&](auto& ledger) {
          using Rcpp::_;
          Tree tree = ledger->grow(m.stop, m.missing, team);
          if (!ledger->to_look().empty()) return Rcpp::List::create(_["look"] = as_looks(*ledger));
          g.asked = ledger->asks();
          if (!g.asked.empty()) return Rcpp::List::create(_["ask"] = as_asks(*ledger, g.asked));
          if (!ledger->to_collect().empty())
            return Rcpp::List::create(_["collect"] = as_asks(*ledger, ledger->to_collect()));
          std::vector<int> id = places(*ledger, tree), found;
          for (int& at : id) found.push_back(static_cast<int>(ledger->entries()[at++].how));
          if (tectree::by_c45(m.problem))
            tectree::cut_at_values(tree, m.problem.frame, *g.codes, team);
          return Rcpp::List::create(_["tree"] = as_list(tree), _["found"] = found, _["id"] = id);
        },
        g.ledger);
  });
}

// The tree down to some nodes, in the format of requests.
// [[Rcpp::export(rng = false)]]
SEXP tec_counted_frontier_(SEXP growth, std::vector<int> id) {
  for (int& x : id) --x;
  return std::visit(
      [&](const auto& ledger) -> SEXP {
        return FrontierList<std::decay_t<decltype(*ledger)>>(*ledger, id).at(0);
      },
      growth_of(growth).ledger);
}

// The cells of the nodes asked for; NULL, or what does not add up.
// [[Rcpp::export(rng = false)]]
SEXP tec_counted_answer_(SEXP growth, Rcpp::List cells) {
  return interruptible([&]() -> SEXP {
    CountedGrowth& g = growth_of(growth);
    return std::visit(
        [&](auto& ledger) -> SEXP {
          using Cell = typename std::decay_t<decltype(*ledger)>::Cell;
          auto by_node = cells_by_node<Cell>(cells, *g.codes, g.bits);
          for (int id : g.asked) {
            if (!ledger->answer(id, std::move(by_node[id]))) return as_conflict(ledger->conflict());
          }
          if (!ledger->settle()) return as_conflict(ledger->conflict());
          return R_NilValue;
        },
        g.ledger);
  });
}

// The cells of the parts of all bins to look into: those of tec_counted_answer_() with `least` and
// `value`, the smallest and the largest value of the part, the same for all of its cells. NULL, or
// what does not add up.
// [[Rcpp::export(rng = false)]]
SEXP tec_counted_look_(SEXP growth, Rcpp::List cells) {
  return interruptible([&]() -> SEXP {
    CountedGrowth& g = growth_of(growth);
    return std::visit(
        [&](auto& ledger) -> SEXP {
          using Cell = typename std::decay_t<decltype(*ledger)>::Cell;
          auto by_node = cells_by_node<tectree::ValueCell<Cell>>(cells, *g.codes, g.bits);
          if (!ledger->look(std::move(by_node))) return as_conflict(ledger->conflict());
          return R_NilValue;
        },
        g.ledger);
  });
}

// The rows of a collected node: `problem` is that of tec_counted_() with their values. NULL, or
// what does not add up.
// [[Rcpp::export(rng = false)]]
SEXP tec_counted_collect_(SEXP growth, int id, Rcpp::List problem) {
  return interruptible([&]() -> SEXP {
    CountedGrowth& g = growth_of(growth);
    MarshalledProblem m = as_problem(problem);
    Team team = make_team(m.threads);
    return std::visit(
        [&](auto& ledger) -> SEXP {
          const auto& entries = ledger->entries();
          const auto& entry = entries[id - 1];
          const auto n = static_cast<double>(m.problem.sample.size);
          if (n != entry.rows) return as_conflict(tectree::Conflict{id - 1, 0, -1, entry.rows, n});
          std::vector<int> parent;
          for (const auto& e : entries) parent.push_back(e.parent);
          const Tree tree = tectree::grow_collected(*ledger, id - 1, m.problem, g.m.stop,
                                                    depth_of(parent, id - 1), g.m.missing, team);
          for (std::size_t s = 0; s < static_cast<std::size_t>(tree.n_classes); ++s) {
            std::vector<double> share(tree.n_classes);
            ledger->describe(id - 1, share.data());
            const double promised = share[s] * tree.weight[0],
                         found = tree.shares(0)[s] * tree.weight[0];
            if (std::fabs(promised - found) > 1e-6 * std::max(tree.weight[0], 1.0))
              return as_conflict(
                  tectree::Conflict{id - 1, 0, static_cast<int>(s), promised, found});
          }
          ledger->graft(id - 1, tree);
          return R_NilValue;
        },
        g.ledger);
  });
}
