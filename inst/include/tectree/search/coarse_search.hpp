// The search for large nodes: every column on at most 255 codes, counted by class, and looked at
// closely only where the best cut may lie. Exact, and the same tree as the presorted search: it is
// the better one while a node is large, because counting reads a byte a row in order where sorted
// columns jump about in memory.
//
// Of the two children of a split only the smaller is counted; the larger is what is left of the
// parent's counts.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "../data/coarse_rows.hpp"
#include "class_task.hpp"
#include "closer_look.hpp"
#include "coarse_data.hpp"
#include "coarse_foresight.hpp"
#include "coarse_groups.hpp"
#include "column_choice.hpp"
#include "presorted.hpp"
#include "take_part.hpp"

namespace tectree {

class CoarseSearch : public NodeSearch {
 public:
  static constexpr int most_classes = 6;  // the corners of a bin's counts are 2 to this power
  static constexpr std::size_t most_counts = 1 << 19;  // held for every open node

  // Whether the bounds hold for the problem, a look at the bounds can spare columns a closer one,
  // and the counts are small enough to keep.
  static bool suits(const ClassProblem& p) {
    const Kernel& kernel = p.criterion->kernel();
    const bool concave =
        kernel.q() > 0.0 && (p.criterion->form() != Form::power || kernel.q() <= 2.0);
    return concave && (p.best_cut_wins() || p.criterion->form() == Form::linear) &&
           p.n_classes <= most_classes && p.control.intervals <= 2 &&
           p.frame->columns.size() * (Binned::most + 1) * p.n_classes <= most_counts;
  }

  using Coded = CoarseData;

  // `rows`: the positions that take part, increasing.
  CoarseSearch(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<const Coded> coded,
               std::vector<std::uint32_t> rows, std::size_t small, int threads)
      : CoarseSearch(
            problem,
            std::make_shared<CoarseRows>(std::move(coded), std::move(rows), problem->n_classes),
            RowBranches(0), small, threads) {
    branch_ = RowBranches(label_.size());
  }

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new CoarseSearch(problem_, shared_, branch_, small_, 1));
  }

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  // The search by another criterion of the same rows, wherever they are moved.
  std::unique_ptr<CoarseSearch> by(std::shared_ptr<const ClassProblem> problem) const {
    return std::unique_ptr<CoarseSearch>(
        new CoarseSearch(std::move(problem), shared_, branch_, small_, threads()));
  }

 private:
  CoarseSearch(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<CoarseRows> shared,
               RowBranches branch, std::size_t small, int threads)
      : shared_(std::move(shared)),
        problem_(std::move(problem)),
        frame_(*problem_->frame),
        sample_(*problem_->sample),
        label_(shared_->coded->label),
        rows_(shared_->rows),
        columns_(shared_->coded->columns),
        offset_(shared_->offset),
        small_(small),
        slots_(columns_.size()),
        scans_(columns_.size()),
        scratch_(threads),
        branch_(std::move(branch)),
        choice_(slots_, effective(problem_->control.eligible, problem_->criterion->eligible())) {
    context_ = {problem_->criterion.get(),
                &problem_->control,
                {&problem_->criterion->kernel(), &problem_->table, 0.5}};
    least_ = std::max(least_count<UnitWeight>(problem_->control.min_bucket), 1u);
  }

 public:
  Range root() const override {
    auto all = std::make_shared<std::vector<std::uint32_t>>(columns_.size());
    std::iota(all->begin(), all->end(), 0u);
    return {0, rows_.size(), std::move(all), nullptr};
  }

  NodeFacts describe(const Range& node, double* share) override {
    count_classes(node);
    return class_facts(*problem_, total_, node.size(), share);
  }

  const Winner* best(Range& node, Team& team) override {
    if (!node.counts) node.counts = count(node, team);
    count_classes(node);
    const std::vector<double> total(total_.begin(), total_.end());
    impurity_ = problem_->criterion->impurity(total.data(), k(), static_cast<double>(node.size()));
    const std::vector<std::uint32_t>& columns = *node.columns;
    team.each(columns.size(), [&](std::size_t i, Team& inner) {
      look(node, columns[i], scratch_[inner.worker()]);
    });
    const std::optional<std::size_t> chosen =
        problem_->best_cut_wins() ? choose_by_cut(node, team) : choose_by_spans(node, team);
    drop_constant(slots_, node);
    return chosen ? &slots_[*chosen].winner : nullptr;
  }

  void divide_rows(const Range& node, const Split& split, const Detour& detour,
                   std::vector<Range>& children) override {
    divide_marked_rows(
        rows_, node, frame_, split, detour, branch_, spare_rows_,
        [&](std::uint32_t row) { return sample_.row(row); },
        [&](auto put) { mark_branches(node, split, put); }, children);
  }

  void divide_columns(const Range& node, std::vector<Range>& children,
                      const std::vector<char>& searched, Team& team) override {
    if (children.size() != 2) return;
    const std::size_t large = children[1].size() > children[0].size() ? 1 : 0, less = 1 - large;
    const auto wants = [&](std::size_t j) { return searched[j] && children[j].size() > small_; };
    if (!wants(large)) return;
    children[less].counts = count(children[less], team);
    auto rest = std::make_shared<std::vector<std::uint32_t>>(*node.counts);
    const std::vector<std::uint32_t>& part = *children[less].counts;
    for (std::uint32_t c : *node.columns) {
      for (std::size_t i = offset_[c]; i < offset_[c + 1]; ++i) (*rest)[i] -= part[i];
    }
    children[large].counts = std::move(rest);
    if (!wants(less)) children[less].counts.reset();
  }

  using Small = PresortedSearch<std::uint16_t, ClassTask<std::uint16_t, UnitWeight>>;

  std::unique_ptr<NodeSearch> shrink(const Range& node) override { return shrunk(node); }

  std::unique_ptr<Small> shrunk(const Range& node) {
    Arena<std::uint16_t> arena;
    arena.n = node.size();
    arena.columns.resize(columns_.size());
    arena.present = *node.columns;
    arena.rows.resize(arena.n);
    std::iota(arena.rows.begin(), arena.rows.end(), std::uint16_t{0});
    arena.origin.assign(rows_.begin() + node.begin, rows_.begin() + node.end);
    std::vector<std::uint16_t> label(arena.n);
    for (std::size_t i = 0; i < arena.n; ++i) label[i] = label_[arena.origin[i]];
    ClassTask<std::uint16_t, UnitWeight> task(problem_, std::move(label), {});
    RowSorting space;
    for (std::uint32_t c : arena.present) {
      const CoarseColumn& column = columns_[c];
      ArenaColumn<std::uint16_t>& out = arena.columns[c];
      const bool codes = column.coded && column.exact && task.scans_codes(c) &&
                         take_codes(column.binned, arena.origin.data(), arena.n, out.binned);
      if (!codes) sort_rows(frame_.columns[c], column, sample_, arena.origin, space, out);
    }
    return std::make_unique<Small>(frame_, sample_, std::move(arena), std::move(task), threads());
  }

  // A part of the rows in an order of its own. swap() puts it in the place of the rows that the
  // search and its like work on; copy() takes the rows of a node.
  struct Page {
    std::vector<std::uint32_t> rows;
  };
  void swap(Page& page) { rows_.swap(page.rows); }
  void copy(const Range& node, Page& page) const {
    page.rows.assign(rows_.begin() + node.begin, rows_.begin() + node.end);
  }

 private:
  struct Scratch {
    Groups groups;
    std::vector<std::uint32_t> total;
    CloserLook closer;
    std::vector<char> wanted;
  };

  int threads() const { return static_cast<int>(scratch_.size()); }
  int k() const { return problem_->n_classes; }

  template <class Put>
  void mark_branches(const Range& node, const Split& split, Put put) const {
    const CoarseColumn& column = columns_[split.column];
    const Column& values = frame_.columns[split.column];
    const bool in_order = split.kind == SplitKind::threshold || split.kind == SplitKind::level;
    if (!in_order || !column.coded) {
      mark_by_value(
          split.view(), values, rows_, node, [&](std::uint32_t row) { return sample_.row(row); },
          put);
    } else if (column.exact) {
      mark_by_code(column.binned, rows_, node, split.breaks[0], put);
    } else {
      const auto value = [&](std::uint32_t row) { return values.value(sample_.row(row)); };
      mark_by_bin(column, rows_, node, split.breaks[0], value, put);
    }
  }
  void count_classes(const Range& node) {
    total_.assign(k(), 0);
    for (std::size_t i = node.begin; i < node.end; ++i) ++total_[label_[rows_[i]]];
  }

  // Class counts by code of every coded column.
  std::shared_ptr<std::vector<std::uint32_t>> count(const Range& node, Team& team) {
    auto counts = std::make_shared<std::vector<std::uint32_t>>(offset_.back(), 0);
    labels_.resize(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) labels_[i] = label_[rows_[node.begin + i]];
    const std::uint32_t* row = rows_.data() + node.begin;
    const std::size_t n = node.size(), classes = k();
    team.each(node.columns->size(), [&](std::size_t i, Team&) {
      const std::uint32_t c = (*node.columns)[i];
      if (!columns_[c].coded) return;
      const std::uint8_t* code = columns_[c].binned.code.data();
      std::uint32_t* into = counts->data() + offset_[c];
      for (std::size_t j = 0; j < n; ++j) ++into[code[row[j]] * classes + labels_[j]];
    });
    return counts;
  }

  std::optional<std::size_t> choose_by_cut(const Range& node, Team& team) {
    const std::vector<std::uint32_t>& columns = *node.columns;
    const double floor = floor_of(columns);
    team.each(columns.size(), [&](std::size_t i, Team& inner) {
      Slot& slot = slots_[columns[i]];
      if (slot.open) look_closely(node, columns[i], floor, scratch_[inner.worker()]);
    });
    return choice_.by_cut(columns, impurity_, [&](const std::vector<std::uint32_t>& winners) {
      for (std::uint32_t c : winners) resolve(node, c, scratch_[0]);
    });
  }

  std::optional<std::size_t> choose_by_spans(const Range& node, Team& team) {
    team.each(node.columns->size(), [&](std::size_t i, Team& inner) {
      foresee(node, (*node.columns)[i], scratch_[inner.worker()]);
    });
    const auto score = [&](const std::vector<std::uint32_t>& columns, double reach) {
      team.each(columns.size(), [&](std::size_t i, Team& inner) {
        narrow(node, columns[i], reach, scratch_[inner.worker()]);
      });
    };
    return choice_.by_spans(*node.columns, impurity_, team.size(), score);
  }

  // The best cut known of all columns.
  double floor_of(const std::vector<std::uint32_t>& columns) const {
    double floor = -HUGE_VAL;
    for (std::uint32_t c : columns) {
      if (slots_[c].open || slots_[c].found) floor = std::max(floor, slots_[c].low);
    }
    return floor;
  }

  // The class counts of the column's rows with a value; their number.
  std::uint32_t known_total(const Range& node, std::uint32_t c,
                            std::vector<std::uint32_t>& total) const {
    const std::uint32_t* missing =
        node.counts->data() + offset_[c] + static_cast<std::size_t>(columns_[c].codes) * k();
    std::uint32_t n = 0;
    total = total_;
    for (int s = 0; s < k(); ++s) n += total[s] -= missing[s];
    return n;
  }

  CutValue cut_value(std::uint32_t n, const std::vector<std::uint32_t>& total, Slot& slot) const {
    const std::vector<double> counts(total.begin(), total.end());
    const Criterion& criterion = *problem_->criterion;
    slot.impurity = criterion.impurity(counts.data(), k(), n);
    return CutValue(criterion, slot.impurity / criterion.unit(), n, n, true,
                    problem_->control.min_gain);
  }

  void look(const Range& node, std::uint32_t c, Scratch& scratch) {
    Slot& slot = slots_[c];
    slot.reset();
    const CoarseColumn& column = columns_[c];
    if (!column.coded || column.exact) return look_at_groups(node, c, scratch, slot);
    const std::uint32_t n = known_total(node, c, scratch.total);
    if (n < 2) {
      slot.constant = true;
      return;
    }
    const CutValue value = cut_value(n, scratch.total, slot);
    CoarseScan& scan = scans_[c];
    scan.start();
    with_form(context_.criterion->form(), [&](auto form) {
      scan.edges<decltype(form)::value>(node.counts->data() + offset_[c], column.codes,
                                        scratch.total, n, problem_->table, value, least_);
    });
    slot.open = true;
    slot.low = scan.low;
    slot.high = scan.high;
  }

  void look_at_groups(const Range& node, std::uint32_t c, Scratch& scratch, Slot& slot) {
    const Column& column = frame_.columns[c];
    const CoarseColumn& coarse = columns_[c];
    Groups& groups = scratch.groups;
    if (coarse.coded) {
      groups_from_counts(
          node.counts->data() + offset_[c], coarse.codes, k(),
          [&](std::size_t code) { return coarse.binned.values[code]; }, groups);
    } else {
      groups_of_levels(column, sample_, rows_.data() + node.begin, node.size(), label_.data(), k(),
                       groups);
    }
    slot.impurity = problem_->criterion->impurity(groups.total.data(), k(), groups.n);
    const CutValue value(*problem_->criterion, slot.impurity / problem_->criterion->unit(),
                         groups.n, node.size(), true, problem_->control.min_gain);
    search_groups(context_, groups, static_cast<int>(c), column.kind, column.n_levels, value, slot);
    slot.low = slot.high = slot.winner.cut / problem_->criterion->unit();
  }

  CoarseView view(const Range& node, std::uint32_t c, const std::vector<std::uint32_t>& total,
                  std::uint32_t n) const {
    return {frame_.columns[c],
            sample_,
            columns_[c],
            rows_.data() + node.begin,
            node.size(),
            label_.data(),
            node.counts->data() + offset_[c],
            total,
            n,
            problem_->table,
            least_};
  }

  // Looks into the bins in which a cut may reach `floor`.
  void look_closely(const Range& node, std::uint32_t c, double floor, Scratch& scratch) {
    Slot& slot = slots_[c];
    CoarseScan& scan = scans_[c];
    const std::uint32_t n = known_total(node, c, scratch.total);
    const CutValue value = cut_value(n, scratch.total, slot);
    with_form(context_.criterion->form(), [&](auto form) {
      scratch.closer.template scan_bins<decltype(form)::value>(view(node, c, scratch.total, n),
                                                               floor, value, scan);
    });
    slot.open = !scan.cuts.empty();
    slot.low = scan.low;
    slot.high = scan.high;
  }

  // The spans of a column before any bin is looked into.
  void foresee(const Range& node, std::uint32_t c, Scratch& scratch) {
    Slot& slot = slots_[c];
    if (slot.found) slot.exactly();
    if (!slot.open) return;
    const std::uint32_t n = known_total(node, c, scratch.total);
    const CoarseView seen = view(node, c, scratch.total, n);
    const CutValue value = cut_value(n, scratch.total, slot);
    const CoarseForesight foresight(seen, *problem_->criterion, value);
    foresight.bound(scans_[c]);
    while (slot.open &&
           !foresight.surely_splits(scans_[c], problem_->control.min_gain, slot.impurity))
      narrow(node, c, -HUGE_VAL, scratch);
    if (slot.open) foresight.foresee(scans_[c], slot);
  }

  // Looks into the bins that matter where a score counts from `reach` on; scores the column once
  // there is nothing left to look into.
  void narrow(const Range& node, std::uint32_t c, double reach, Scratch& scratch) {
    Slot& slot = slots_[c];
    CoarseScan& scan = scans_[c];
    const std::uint32_t n = known_total(node, c, scratch.total);
    const CoarseView seen = view(node, c, scratch.total, n);
    const CutValue value = cut_value(n, scratch.total, slot);
    const CoarseForesight foresight(seen, *problem_->criterion, value);
    foresight.wanted(scan, reach, scratch.wanted);
    scratch.closer.scan_marked(seen, scratch.wanted, value, scan);
    if (CoarseForesight::settled(scan)) {
      resolve(node, c, scratch);
      slot.exactly();
    } else {
      foresight.foresee(scan, slot);
    }
  }

  void resolve(const Range& node, std::uint32_t c, Scratch& scratch) {
    Slot& slot = slots_[c];
    CoarseScan& scan = scans_[c];
    std::vector<std::uint32_t>& total = scratch.total;
    const std::uint32_t n = known_total(node, c, total);
    auto& cuts = scan.cuts;
    cuts.erase(std::remove_if(cuts.begin(), cuts.end(),
                              [&](const CoarseCut& x) { return x.high < scan.low; }),
               cuts.end());
    std::sort(cuts.begin(), cuts.end(),
              [](const CoarseCut& a, const CoarseCut& b) { return a.at < b.at; });
    BestOf best(problem_->control.min_gain, slot.impurity);
    Partition p;
    std::vector<double> left(k()), right(k());
    for (std::uint32_t i = 0; i < cuts.size(); ++i) {
      double n_r = 0.0;
      for (int s = 0; s < k(); ++s) {
        left[s] = cuts[i].left[s];
        right[s] = static_cast<double>(total[s]) - left[s];
        n_r += right[s];
      }
      p.start(k());
      p.add(left.data(), cuts[i].at);
      p.add(right.data(), n_r);
      best.add(i, problem_->criterion->measure(p));
    }
    slot.open = false;
    if (best.empty()) return;
    best.settle();
    CoarseCut& cut = cuts[best.at()];
    if (cut.bin >= 0) values_beside(view(node, c, total, n), cut);
    keep_cut(slot, static_cast<int>(c), Kind::numeric, cut.below, cut.above, best.measures());
    slot.winner.branch_weight.assign(
        {static_cast<double>(cut.at), static_cast<double>(n - cut.at)});
  }

  std::shared_ptr<CoarseRows> shared_;
  std::shared_ptr<const ClassProblem> problem_;
  const Frame& frame_;
  const Sample& sample_;
  const std::vector<std::uint16_t>& label_;
  std::vector<std::uint32_t>& rows_;
  const std::vector<CoarseColumn>& columns_;
  const std::vector<std::size_t>& offset_;
  std::size_t small_;
  std::vector<Slot> slots_;
  std::vector<CoarseScan> scans_;
  std::vector<Scratch> scratch_;
  ClassContext context_;
  std::uint32_t least_;
  std::vector<std::uint32_t> total_, spare_rows_;
  std::vector<std::uint16_t> labels_;
  RowBranches branch_;
  ColumnChoice choice_;
  double impurity_ = 0.0;
};

}  // namespace tectree
