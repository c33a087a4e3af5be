// The search of classes in large nodes: every column on at most 255 codes, counted by class, and
// looked at closely only where the best cut may lie. Exact, and the same tree as the sorted
// search: it is the better one while a node is large, because counting reads a byte a row in order
// where sorted columns jump about in memory.
//
// Of the two children of a split only the smaller is counted; the larger is what is left of the
// parent's counts.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../../tally/unit_counts.hpp"
#include "../classes/class_task.hpp"
#include "../sorted/sorted_search.hpp"
#include "class_cells.hpp"
#include "class_columns.hpp"
#include "histogram_base.hpp"

namespace tectree {

class ClassHistograms : public HistogramBase {
 public:
  static constexpr PassOn pass_on{Entry<std::uint16_t>::most_rows, 4096, 1024};

  // Whether the bounds hold for the problem, a look at the bounds can spare columns a closer one,
  // and the counts are small enough to keep.
  static bool suits(const ClassProblem& p) {
    const Kernel& kernel = p.criterion->kernel();
    const bool concave =
        kernel.q() > 0.0 && (p.criterion->form() != Form::power || kernel.q() <= 2.0);
    return concave && (p.best_cut_wins() || p.criterion->form() == Form::linear) &&
           p.n_classes <= ClassBounds::most_classes && p.control.intervals <= 2 &&
           p.frame->columns.size() * (Binned::most + 1) * p.n_classes <= CodedRows::most_counts;
  }

  using Problem = ClassProblem;
  using Coded = CodedClasses;

  // `rows`: the positions that take part, increasing.
  ClassHistograms(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<const Coded> coded,
                  std::vector<std::uint32_t> rows, std::size_t small, int threads)
      : ClassHistograms(problem,
                        std::make_shared<CodedRows>(std::move(coded), std::move(rows),
                                                    *problem->sample, problem->n_classes),
                        small, threads) {}

  std::unique_ptr<NodeSearch> fork() const override {
    return std::unique_ptr<NodeSearch>(new ClassHistograms(problem_, shared_, branch_, small_, 1));
  }

  const std::shared_ptr<const ClassProblem>& problem() const { return problem_; }
  // The search by another criterion of the same rows, wherever they are moved.
  std::unique_ptr<ClassHistograms> by(std::shared_ptr<const ClassProblem> problem) const {
    return std::unique_ptr<ClassHistograms>(
        new ClassHistograms(std::move(problem), shared_, branch_, small_, columns_.threads()));
  }

  NodeFacts describe(const Range& node, double* share) override {
    count_classes(node);
    return class_facts(*problem_, total_, node.size(), share);
  }

  const Winner* best(Range& node, Team& team) override {
    if (!node.counts) node.counts = shared_->count(node, labels_, team);
    count_classes(node);
    const std::vector<double> total(total_.begin(), total_.end());
    impurity_ = problem_->criterion->impurity(total.data(), k(), static_cast<double>(node.size()));
    const CountedNode counted{node, total_};
    const std::vector<std::uint32_t>& columns = *node.columns;
    team.each(columns.size(), [&](std::size_t i, Team& inner) {
      columns_.look(counted, columns[i], inner.worker());
    });
    const std::optional<std::size_t> chosen =
        problem_->best_cut_wins() ? choose_by_cut(columns_, choice_, counted, impurity_, team)
                                  : choose_by_spans(counted, team);
    drop_constant(columns_.results(), node);
    return chosen ? &columns_.results()[*chosen].winner : nullptr;
  }

  void divide_columns(const Range& node, std::vector<Range>& children,
                      const std::vector<char>& searched, Team& team) override {
    hand_down(
        node, children, searched,
        [&](const Range& child) { return shared_->count(child, labels_, team); },
        [&](const CodedRows::Counts& part) { return shared_->rest(node, part); });
  }

  std::unique_ptr<NodeSearch> gather(Range& node, Team& team) override {
    constexpr std::size_t part = 8;  // of the rows, that has them wide apart
    if (node.size() <= small_ || node.size() > label_.size() / part) return nullptr;
    auto rows = std::make_shared<CodedRows>(*shared_, node, team);
    node.end = rows->rows.size();
    node.begin = 0;
    return std::unique_ptr<NodeSearch>(
        new ClassHistograms(problem_, std::move(rows), small_, columns_.threads()));
  }

  using Small = SortedSearch<std::uint16_t, ClassTask<std::uint16_t, WholeWeight>>;

  std::unique_ptr<NodeSearch> shrink(const Range& node) override { return shrunk(node); }

  std::unique_ptr<Small> shrunk(const Range& node) {
    std::vector<std::uint16_t> label;
    for (std::size_t i = node.begin; i < node.end; ++i) label.push_back(label_[rows_[i]]);
    ClassTask<std::uint16_t, WholeWeight> task(problem_, std::move(label), {});
    auto arena = small_arena(node, [&](std::uint32_t c) { return task.scans_codes(c); });
    shared_->trace(arena.origin);
    return std::make_unique<Small>(frame_, *problem_->sample, std::move(arena), std::move(task),
                                   columns_.threads());
  }

 private:
  ClassHistograms(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<CodedRows> shared,
                  std::size_t small, int threads)
      : ClassHistograms(std::move(problem), shared, RowBranches(shared->coded->label.size()), small,
                        threads) {}
  ClassHistograms(std::shared_ptr<const ClassProblem> problem, std::shared_ptr<CodedRows> shared,
                  RowBranches branch, std::size_t small, int threads)
      : HistogramBase(*problem->frame, shared->sample, shared->coded->columns, shared->rows,
                      std::move(branch), small),
        shared_(std::move(shared)),
        problem_(std::move(problem)),
        label_(shared_->coded->label),
        columns_(problem_, shared_, threads),
        choice_(columns_.results(), problem_->eligible()) {}

  int k() const { return problem_->n_classes; }

  void count_classes(const Range& node) {
    total_.assign(k(), 0);
    count_units(rows_.data() + node.begin, node.size(), label_.data(), total_);
  }

  std::optional<std::size_t> choose_by_spans(const CountedNode& node, Team& team) {
    const std::vector<std::uint32_t>& all = *node.range.columns;
    team.each(all.size(), [&](std::size_t i, Team& inner) {
      columns_.find_span(node, all[i], inner.worker());
    });
    const auto score = [&](const std::vector<std::uint32_t>& columns, double reach) {
      team.each(columns.size(), [&](std::size_t i, Team& inner) {
        columns_.narrow(node, columns[i], reach, inner.worker());
      });
    };
    const auto span_of = [](std::uint32_t) {};  // every column is
    return choice_.by_spans(all, impurity_, team.size(), score, span_of);
  }

  std::shared_ptr<CodedRows> shared_;
  std::shared_ptr<const ClassProblem> problem_;
  const std::vector<std::uint16_t>& label_;
  ClassColumns columns_;
  std::vector<std::uint32_t> total_;
  std::vector<std::uint16_t> labels_;
  ColumnChoice choice_;
  double impurity_ = 0.0;
};

}  // namespace tectree
