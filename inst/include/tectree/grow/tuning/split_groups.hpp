// The criteria of a node by the split that each makes of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../search/door/node_search.hpp"

namespace tectree {

using CriteriaSet = std::vector<std::uint32_t>;

class SplitGroups {
 public:
  // The criteria that make the same split; the first of them found it.
  struct Group {
    const Winner* winner;
    CriteriaSet criteria;
  };

  void clear() {
    size_ = 0;
    unsplit_.clear();
  }

  // `winner` must stay where it is as long as the groups are asked for it; null: no split.
  void add(std::uint32_t criterion, const Winner* winner) {
    if (!winner) {
      unsplit_.push_back(criterion);
      return;
    }
    std::size_t g = 0;
    while (g < size_ && !same_split(groups_[g].winner->split, winner->split)) ++g;
    if (g == size_) start_group(winner);
    groups_[g].criteria.push_back(criterion);
  }

  std::size_t size() const { return size_; }
  const Group& operator[](std::size_t g) const { return groups_[g]; }
  // The criteria whose trees end here.
  const CriteriaSet& unsplit() const { return unsplit_; }

 private:
  void start_group(const Winner* winner) {
    if (size_ == groups_.size()) groups_.emplace_back();
    groups_[size_].winner = winner;
    groups_[size_].criteria.clear();
    ++size_;
  }

  std::vector<Group> groups_;  // the first `size_`; the others keep their memory
  std::size_t size_ = 0;
  CriteriaSet unsplit_;
};

}  // namespace tectree
