// How the entries of a small arena tell the classes of their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simd_cuts.hpp"

namespace tectree {

// The numbers by which an arena's entries tell the classes of their rows: those that occur there,
// where they are few enough for a tag.
class ClassTags {
 public:
  ClassTags() = default;
  ClassTags(const std::vector<std::uint16_t>& labels, std::size_t classes) : tag_(classes, none) {
    const bool all = classes <= most_simd_classes;
    for (std::size_t i = 0; all ? i < classes : i < labels.size() && fit(); ++i) {
      std::uint8_t& tag = tag_[all ? i : labels[i]];
      if (tag == none) tag = static_cast<std::uint8_t>(used_++);
    }
  }
  bool fit() const { return used_ <= most_simd_classes; }
  std::uint32_t of(std::size_t label) const { return tag_[label]; }

 private:
  static constexpr std::uint8_t none = 255;
  std::vector<std::uint8_t> tag_;  // by class
  std::size_t used_ = 0;
};

}  // namespace tectree
