// Rotations of a rotation forest (Rodriguez, Kuncheva & Alonso 2006): columns in random groups,
// each rotated to the principal components of some of the rows.
//
// A component mixes only the columns of its group, so a rotation consists of one small block per
// group and never of a matrix of all columns.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "../base/team.hpp"
#include "../data/frame.hpp"
#include "../grow/many/bag.hpp"

namespace tectree {

// A rotation in memory that it or the caller owns. Groups are runs of `group_size` places; the last
// group contains the remaining columns.
struct RotationView {
  std::size_t columns = 0, group_size = 1;
  const int* order = nullptr;    // by place: the column, from 1
  const double* axes = nullptr;  // by component: its loadings on the columns of its group

  std::size_t first_of(std::size_t component) const { return component / group_size * group_size; }
  std::size_t size_of(std::size_t first) const { return std::min(group_size, columns - first); }
  // Component j of a group is at place j of the group.
  const double* loadings(std::size_t component) const {
    const std::size_t first = first_of(component);
    return axes + first * group_size + (component - first) * size_of(first);
  }
  std::size_t column(std::size_t place) const { return static_cast<std::size_t>(order[place]) - 1; }
};

// The number of loadings of a rotation.
inline std::size_t loadings_of(std::size_t columns, std::size_t group_size) {
  const std::size_t rest = columns % group_size;
  return (columns - rest) * group_size + rest * rest;
}

// The values of a component, by row from `first` on. Training and prediction add in the same order.
inline void rotate(const RotationView& rotation, std::size_t component, const Frame& frame,
                   std::size_t first, std::size_t n, double* to) {
  const std::size_t group = rotation.first_of(component), size = rotation.size_of(group);
  const double* loadings = rotation.loadings(component);
  std::fill_n(to, n, 0.0);
  for (std::size_t j = 0; j < size; ++j) {
    const double* from = frame.columns[rotation.column(group + j)].real + first;
    const double loading = loadings[j];
    for (std::size_t i = 0; i < n; ++i) to[i] += loading * from[i];
  }
}

// The largest absolute value of each column.
inline std::vector<double> largest_of(const Frame& frame) {
  std::vector<double> out;
  for (const Column& column : frame.columns) {
    double most = 0.0;
    for (std::size_t i = 0; i < frame.n_rows; ++i) most = std::max(most, std::fabs(column.real[i]));
    out.push_back(most);
  }
  return out;
}

// Makes a component constant if it is constant up to rounding, such as that of all indicators of a
// factor: a tree would split on noise. Sums over n rows round loadings, and sums over the columns
// of the group round a value, by about as many epsilons as they have terms, times the largest term.
inline void flatten(const RotationView& rotation, std::size_t component,
                    const std::vector<double>& largest, std::size_t n, double* values) {
  const std::size_t group = rotation.first_of(component), size = rotation.size_of(group);
  const double* loadings = rotation.loadings(component);
  double most = 0.0;
  for (std::size_t j = 0; j < size; ++j)
    most += std::fabs(loadings[j]) * largest[rotation.column(group + j)];
  const double terms = 4.0 * static_cast<double>(n + size);
  const auto [low, high] = std::minmax_element(values, values + n);
  if (*high - *low <= terms * std::numeric_limits<double>::epsilon() * most)
    std::fill_n(values, n, *low);
}

// Replaces a symmetric matrix of `size` columns by its eigenvectors, column by column, largest
// eigenvalue first. May be called by several threads at once.
using Eigenvectors = std::function<void(std::size_t size, double* matrix)>;

struct RotationRule {
  std::size_t group_size = 3;
  double fraction = 0.5;  // of the rows of the drawn classes, for the components of a group
};

class RotationDrawer {
 public:
  // All columns of the frame are complete doubles.
  RotationDrawer(const Frame& frame, const Sample& sample, const Response& response,
                 const RotationRule& rule, Eigenvectors eigenvectors)
      : frame_(frame),
        sample_(sample),
        rule_(rule),
        eigenvectors_(std::move(eigenvectors)),
        of_class_(static_cast<std::size_t>(response.is_class() ? response.n_classes : 1)) {
    for (std::size_t i = 0; i < sample.size; ++i)
      of_class_[class_at(response, sample.row(i))].push_back(static_cast<std::uint32_t>(i));
    const auto empty = [](const std::vector<std::uint32_t>& rows) { return rows.empty(); };
    of_class_.erase(std::remove_if(of_class_.begin(), of_class_.end(), empty), of_class_.end());
  }

  std::size_t columns() const { return frame_.columns.size(); }

  // `seed`: of the tree. Calls group(first place, positions of its rows) for each group, after
  // `order` has been written.
  template <class Group>
  void draw_rows(std::uint64_t seed, int* order, Group group) const {
    Stream stream(Stream::part(seed, 0));
    std::vector<int> shuffled(columns());
    std::iota(shuffled.begin(), shuffled.end(), 1);
    stream.shuffle(shuffled);
    std::copy(shuffled.begin(), shuffled.end(), order);
    for (std::size_t first = 0; first < columns(); first += rule_.group_size)
      group(first, some_rows(stream));
  }

  // The same, with the loadings.
  void draw(std::uint64_t seed, int* order, double* axes, Team& team) const {
    const RotationView shape{columns(), rule_.group_size, order, axes};
    draw_rows(seed, order, [&](std::size_t first, const std::vector<std::uint32_t>& rows) {
      const std::size_t size = shape.size_of(first);
      double* block = axes + first * rule_.group_size;
      spread(shape, first, rows, block, team);
      eigenvectors_(size, block);
      for (std::size_t j = 0; j < size; ++j) direct(block + j * size, size);
    });
  }

 private:
  static std::size_t class_at(const Response& response, std::size_t row) {
    return response.is_class() ? static_cast<std::size_t>(response.code[row]) - 1 : 0;
  }

  // Some of the rows of a random, non-empty set of classes, in order.
  std::vector<std::uint32_t> some_rows(Stream& stream) const {
    std::vector<char> in(of_class_.size(), 1);
    if (in.size() > 1) {
      do {
        for (char& one : in) one = static_cast<char>(stream.below(2));
      } while (std::count(in.begin(), in.end(), 1) == 0);
    }
    std::vector<std::uint32_t> rows;
    for (std::size_t s = 0; s < in.size(); ++s) {
      if (in[s]) rows.insert(rows.end(), of_class_[s].begin(), of_class_[s].end());
    }
    const double share = rule_.fraction * static_cast<double>(rows.size());
    const auto draws = static_cast<std::size_t>(std::max(1.0, std::round(share)));
    if (draws < rows.size()) {
      // The first places of a shuffle.
      for (std::size_t i = 0; i < draws; ++i)
        std::swap(rows[i], rows[i + stream.below(rows.size() - i)]);
      rows.resize(draws);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // The covariances of a group's columns.
  void spread(const RotationView& shape, std::size_t first, const std::vector<std::uint32_t>& rows,
              double* to, Team& team) const {
    constexpr std::size_t checked = 1 << 16;  // sums between checks for an interrupt
    const std::size_t size = shape.size_of(first);
    std::vector<const double*> from(size);
    for (std::size_t j = 0; j < size; ++j) from[j] = frame_.columns[shape.column(first + j)].real;
    std::vector<double> mean(size, 0.0), off(size);
    double total = 0.0;
    for (std::uint32_t p : rows) {
      const double weight = sample_.weight(p);
      const std::size_t row = sample_.row(p);
      total += weight;
      for (std::size_t j = 0; j < size; ++j) mean[j] += weight * from[j][row];
    }
    for (double& m : mean) m /= total;
    std::fill_n(to, size * size, 0.0);
    std::size_t sums = checked;
    for (std::uint32_t p : rows) {
      if ((sums += size * size) > checked) {
        team.check();
        sums = 0;
      }
      const double weight = sample_.weight(p);
      const std::size_t row = sample_.row(p);
      for (std::size_t j = 0; j < size; ++j) off[j] = from[j][row] - mean[j];
      for (std::size_t j = 0; j < size; ++j) {
        const double of_column = weight * off[j];
        for (std::size_t k = 0; k <= j; ++k) to[j * size + k] += of_column * off[k];
      }
    }
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k <= j; ++k) to[k * size + j] = to[j * size + k] /= total;
    }
  }

  // Makes the largest loading positive, the first on ties.
  static void direct(double* loadings, std::size_t size) {
    constexpr double equal = 1e-8;
    double most = 0.0;
    for (std::size_t j = 0; j < size; ++j) most = std::max(most, std::fabs(loadings[j]));
    std::size_t at = 0;
    while (at + 1 < size && !(std::fabs(loadings[at]) >= most * (1.0 - equal))) ++at;
    if (loadings[at] >= 0.0) return;
    for (std::size_t j = 0; j < size; ++j) loadings[j] = -loadings[j];
  }

  const Frame& frame_;
  const Sample& sample_;
  RotationRule rule_;
  Eigenvectors eigenvectors_;
  std::vector<std::vector<std::uint32_t>> of_class_;  // positions, of the classes with rows
};

}  // namespace tectree
