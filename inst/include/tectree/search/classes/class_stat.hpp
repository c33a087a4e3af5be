// Room search/classes/: how the sorted search counts classes.
//
// Classes as the Stat of a sorted search (see ../sorted/stat.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../scan/class_scan.hpp"
#include "../simd/simd_node.hpp"
#include "class_node.hpp"
#include "class_rows.hpp"

namespace tectree {

template <class Index, class W>
class ClassStat {
 public:
  using Row = Index;
  using Count = typename W::Count;
  using Rows = ClassRows<Index, W>;
  using Simd = SimdNode<Index, W>;
  struct Scratch {
    typename Simd::Scratch simd;
    std::vector<BothSides<Count>> sides;
    std::vector<Count> total;
    std::vector<std::uint32_t> cells;
    CutScorer scorer;
  };

  // By row of the arena; see ClassRows.
  ClassStat(std::shared_ptr<const ClassProblem> problem, std::vector<std::uint16_t> label,
            ClassWeights weights)
      : ClassStat(problem, Rows(*problem, std::move(label), std::move(weights))) {}
  ClassStat(std::shared_ptr<const ClassProblem> problem, Rows rows)
      : problem_(std::move(problem)), rows_(std::move(rows)), simd_(rows_, classes()) {
    use_criterion();
  }

  // The same rows with another criterion.
  static constexpr bool shares_rows = true;
  void set_problem(std::shared_ptr<const ClassProblem> problem) {
    problem_ = std::move(problem);
    rows_.set_problem(*problem_);
    use_criterion();
  }

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  const SearchControl& control() const { return problem_->control; }
  const Criterion& criterion() const { return *problem_->criterion; }
  const ClassContext& context() const { return measure_.context; }
  Form form() const { return measure_.form; }
  std::size_t classes() const { return static_cast<std::size_t>(problem_->n_classes); }
  Eligible eligible() const { return problem_->eligible(); }
  bool best_cut_wins() const { return problem_->best_cut_wins(); }

  // ---- rows -------------------------------------------------------------------------------------

  const std::uint16_t* labels() const { return rows_.label_data(); }
  bool counts_rows() const { return rows_.count_one(); }
  double case_weight(Index row) const { return rows_.case_weight(row); }
  bool has_sizes() const { return rows_.has_sizes(); }
  double size(Index row) const { return rows_.size(row); }
  double node_weight(Index row) const {
    const double weight = rows_.case_weight(row);
    return rows_.by_class() ? weight * problem_->factors.prior_of(rows_.label(row)) : weight;
  }

  // Sets the case weights of a node's rows; see ClassRows.
  static constexpr bool weighs_parts = !W::whole;
  bool may_weigh() const { return !has_sizes() && !rows_.count_one(); }
  void weigh(const Index* rows, const double* weight, std::size_t n) {
    const double least = rows_.weigh(problem_->factors, rows, weight, n);
    measure_.context.counts.half_least = least / 2;
    simd_.weigh(rows, weight, n, rows_.labels().size());
  }

  // Stores the rows' classes in entries, if cuts are valued eight at a time by this criterion or
  // another one of the same rows.
  void tag(Entry<Index>* first, Entry<Index>* last) const {
    if constexpr (may_preview) {
      if (!simd_.tagged()) return;
      constexpr auto mask = static_cast<std::uint32_t>(Entry<Index>::tags - 1);
      for (; first < last; ++first) first->tag = simd_.tag_of(rows_.label(first->row)) & mask;
    }
  }
  template <class Divide>
  void divide(Divide) {}

  template <class To>
  auto shrunk(const Arena<Index>& from, const Arena<To>& to, const Range& node,
              const std::vector<std::uint16_t>&) const {
    return ClassStat<To, W>(problem_, rows_.shrunk(*problem_, from, to, node));
  }
  template <class Small>
  auto with_weights(const Taken<Index>& some) const {
    std::vector<std::uint16_t> label;
    for (Index row : some.rows) label.push_back(rows_.label(row));
    ClassWeights weights;
    weights.weight = some.weight;
    if (rows_.by_class()) {
      weights.case_weight = some.weight;
      for (std::size_t i = 0; i < label.size(); ++i)
        weights.weight[i] *= problem_->factors.split_of(label[i]);
    }
    weights.has_sizes = has_sizes();
    for (std::size_t i = 0; has_sizes() && i < label.size(); ++i)
      weights.size.push_back(size(some.rows[i]) * some.part[i]);
    const double least = *std::min_element(weights.weight.begin(), weights.weight.end());
    return ClassStat<Small, RealWeight>(with_fractions(*problem_, least / 2), std::move(label),
                                        std::move(weights));
  }

  // ---- the node ---------------------------------------------------------------------------------

  NodeFacts describe(const Arena<Index>& arena, const Range& node, double* share) {
    count(arena, node);
    NodeFacts facts;
    if (rows_.by_class()) {
      std::vector<double> weight(node_.case_total);
      for (std::size_t s = 0; s < weight.size(); ++s) weight[s] *= problem_->factors.prior_of(s);
      facts = class_facts(*problem_, weight, node.size(), share);
      facts.size = std::accumulate(node_.case_total.begin(), node_.case_total.end(), 0.0);
    } else {
      facts = class_facts(*problem_, node_.total, node.size(), share);
    }
    if (has_sizes()) facts.size = rows_.size(arena.rows.data() + node.begin, node.size());
    return facts;
  }

  void begin(const Arena<Index>& arena, const Range& node) {
    count(arena, node);
    node_.measure(measure_, node.size());
    const Index* rows = arena.rows.data() + node.begin;
    simd_.begin(rows_.weights(), node_.total,
                each_class(node.size(), [rows](std::size_t i) { return rows[i]; }));
  }
  // A node of which only the class counts are known.
  void begin(const std::vector<Count>& total, std::size_t n_rows) {
    node_.total = total;
    node_.measure(measure_, n_rows);
  }

  double impurity() const { return node_.impurity; }
  const CutValue& value() const { return node_.value; }
  static constexpr bool may_gain() { return true; }
  UnknownWeight unknown_weight(bool complete, double known) const {
    return {control().unknown, complete, known, node_.weight};
  }

  // Whether the result's best cut leaves two pure branches, so that none can beat it. Only if no
  // row has a missing value: the known rows of another column may have more to gain.
  bool unbeatable(const ColumnResult& result) const {
    const CutValue& v = node_.value;
    const double off = 2 * (v.drift + v.uncertainty) + 1e-12 * v.s;
    return result.is_open() && result.high >= v.s + v.slack - off && off < 1e-10 * v.s &&
           criterion().pure_is_best();
  }

  // Spans are found if rows count 1: the position of a cut is then the weight of its left side.
  bool has_spans() const { return counts_rows() && form() == Form::linear; }
  bool find_cut_span(const Range& node, ColumnResult& result) const {
    return result.known == node.size() && tectree::find_cut_span(*problem_, node_.value, result);
  }
  void find_score_span(ColumnResult& result) const {
    tectree::find_score_span(*problem_, node_.value, result);
  }

  static constexpr bool may_preview = sizeof(Index) <= 2;
  bool preview(const Arena<Index>& arena, const Range& node, bool may_stop, Scratch& scratch,
               std::vector<ColumnResult>& results) const {
    const auto is_plain = [&](std::uint32_t c) {
      return divides_plainly(control(), problem_->frame->columns[c].kind);
    };
    // s is the measure of a cut into pure branches, so no column after one that may have such a cut
    // is searched.
    const double enough = may_stop ? node_.value.s : HUGE_VAL;
    const auto known = static_cast<std::uint32_t>(node.size());
    const auto place = [&](std::uint32_t at, ColumnResult& result) {
      result.impurity = node_.impurity;
      result.known = known;
      preview_cut(*problem_, at, result);
    };
    const auto look = [&](auto placed) {
      return simd_.template preview<decltype(placed)::value>(
          arena, node, form(), node_.value, enough, is_plain, place, scratch.simd, results);
    };
    if (form() == Form::linear && (best_cut_wins() || measure_.joint))
      return look(std::true_type());
    return best_cut_wins() && look(std::false_type());
  }

  // ---- a sorted column --------------------------------------------------------------------------

  static constexpr bool scans() { return true; }
  void scan(const NodeColumn<Index>& column, Scratch& scratch, ColumnResult& result) const {
    scan_total(column, scratch.total);
    const CutValue value = cut_value_of(column, scratch.total, result);
    with_form(form(), [&](auto form) {
      constexpr Form f = decltype(form)::value;
      if constexpr (f != Form::ratio) {
        const auto offer = [&](auto& scan) {
          scan.template offer_cuts<f>(column.e, value, result.floor, result.contenders);
        };
        if (scan_by_simd<f>(column, scratch, offer)) return;
      }
      scan_cuts<f>(class_column(column, scratch.total, measure_.least, column_size(column, 0.0)),
                   value, result.floor, scratch.sides, result.contenders);
    });
    result.open_contenders();
    if (!result.is_open() || form() == Form::ratio) return;
    result.most =
        (result.high - value.slack + (value.drift + value.uncertainty)) * criterion().unit();
  }

  template <class Cuts>
  void score(const NodeColumn<Index>& column, const Cuts& cuts, Scratch& scratch,
             BestOf& best) const {
    known_total(column, scratch.total);
    each_split(column, cuts, scratch,
               [&](std::uint32_t at, const ClassExact& exact) { best.add(at, exact.measures()); });
  }
  // use(at, exact) for cuts of a column with the class counts `scratch.total`.
  template <class Cuts, class Use>
  void each_split(const NodeColumn<Index>& column, const Cuts& cuts, Scratch& scratch,
                  Use use) const {
    const W& w = rows_.weights();
    const double n = std::accumulate(scratch.total.begin(), scratch.total.end(), 0.0);
    scratch.scorer.start(measure_.context, scratch.total, unknown_weight(column.complete(), n));
    scratch.scorer.each(
        cuts, column.known, [&](std::size_t i) { return rows_.label(column.e[i].row); },
        [&](std::size_t i) { return static_cast<double>(w.of(column.e[i].row)); }, use);
  }

  // The class counts of a column's known rows.
  void known_total(const NodeColumn<Index>& column, std::vector<Count>& out) const {
    out = node_.total;
    if (column.complete()) return;
    const W& w = rows_.weights();
    out.assign(out.size(), Count{0});
    for (std::size_t i = 0; i < column.known; ++i)
      out[rows_.label(column.e[i].row)] += w.of(column.e[i].row);
  }
  // The same up to rounding, from the smaller part of the rows: a small remainder would have the
  // error of the total.
  void scan_total(const NodeColumn<Index>& column, std::vector<Count>& out) const {
    if (column.rows - column.known >= column.known) return known_total(column, out);
    out = node_.total;
    const W& w = rows_.weights();
    for (std::size_t i = column.known; i < column.rows; ++i) {
      Count& of_class = out[rows_.label(column.e[i].row)];
      of_class = w.rest(of_class, w.of(column.e[i].row));
    }
  }
  // The size of these rows, whose weight is `weight`.
  double column_size(const NodeColumn<Index>& column, double weight) const {
    if (!rows_.weights().sized()) return weight;
    double sum = 0.0;
    for (std::size_t i = 0; i < column.known; ++i) sum += size(column.e[i].row);
    return sum;
  }
  // Measures a cut of a column whose known rows have these class counts; sets the corresponding
  // members of the result.
  CutValue cut_value_of(const NodeColumn<Index>& column, const std::vector<Count>& total,
                        ColumnResult& result) const {
    result.impurity = node_.impurity;
    result.known = static_cast<std::uint32_t>(column.known);
    if (column.complete()) return node_.value;
    const std::vector<double> counts(total.begin(), total.end());
    const double n = std::accumulate(counts.begin(), counts.end(), 0.0);
    result.impurity = criterion().impurity(counts.data(), problem_->n_classes, n);
    return measure_.cut_value(n, result.impurity, column.known, unknown_weight(false, n));
  }
  ClassColumn<Index, W> class_column(const NodeColumn<Index>& column,
                                     const std::vector<Count>& total, Count least,
                                     double size) const {
    return {column.e, static_cast<std::uint32_t>(column.known),
            labels(), rows_.weights(),
            total,    least,
            size,     measure_.phi_decreases};
  }
  Count least() const { return measure_.least; }  // size of a side

  // use(scan) if a column with the class counts `scratch.total` is scanned eight cuts at a time;
  // otherwise false.
  template <Form form, class Use>
  bool scan_by_simd(const NodeColumn<Index>& column, Scratch& scratch, Use use) const {
    if (!simd_.on()) return false;
    const auto unknown =
        each_class(column.rows - column.known,
                   [e = column.e + column.known](std::size_t i) { return e[i].row; });
    return simd_.template with_column<form>(
        rows_.weights(), scratch.total, column.complete() ? nullptr : &unknown, scratch.simd, use);
  }

  // ---- groups of rows ---------------------------------------------------------------------------

  int width() const { return problem_->n_classes; }
  bool by_class() const { return rows_.by_class(); }
  double add_rows(double* tally, const Entry<Index>* first, const Entry<Index>* last) const {
    return rows_.add(first, last, tally, classes());
  }
  static constexpr bool groups_by_level = true;
  void add_levels(const Index* rows, std::size_t n, const ArenaColumn<Index>& column,
                  Scratch& scratch, double* tally, double* case_weight) const {
    rows_.add_levels(rows, n, column, classes(), scratch.cells, tally, case_weight);
  }
  ClassWorth worth(const NodeColumn<Index>& column, const Groups& groups, Scratch&,
                   ColumnResult& result) const {
    ClassWorth out(measure_.context, groups);
    result.impurity = out.impurity();
    out.rank_by(measure_.cut_value(groups.n, result.impurity, column.rows, groups.unknown));
    return out;
  }

 private:
  void use_criterion() {
    measure_ = ClassMeasure<W>(*problem_);
    simd_.set_criterion(criterion(), problem_->table, problem_->factors, measure_.least,
                        measure_.joint);
  }

  void count(const Arena<Index>& arena, const Range& node) {
    const Index* rows = arena.rows.data() + node.begin;
    node_.total.assign(classes(), Count{0});
    if (!rows_.by_class()) return rows_.count(rows, node.size(), node_.total);
    node_.case_total.assign(classes(), 0.0);
    rows_.count_cases(rows, node.size(), node_.case_total);
    for (std::size_t s = 0; s < node_.total.size(); ++s)
      node_.total[s] = static_cast<Count>(node_.case_total[s] * problem_->factors.split_of(s));
  }

  // The classes of n rows in the format of SimdNode.
  template <class RowAt>
  auto each_class(std::size_t n, RowAt row_at) const {
    return [label = labels(), n, row_at](auto use) {
      for (std::size_t i = 0; i < n; ++i) use(row_at(i), label[row_at(i)]);
    };
  }

  std::shared_ptr<const ClassProblem> problem_;
  Rows rows_;
  ClassMeasure<W> measure_;
  ClassNode<W> node_;
  Simd simd_;
};

}  // namespace tectree
