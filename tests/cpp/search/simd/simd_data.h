// A column in the format of the scans of eight cuts at a time.
#pragma once

#include <tectree/search/simd/simd_scan.hpp>
#include <tectree/search/simd/unit_cuts.hpp>
#include <tectree/search/simd/weight_cuts.hpp>

#include <vector>

#include "search/scan/scan_data.h"

namespace support {

using SmallEntries = std::vector<tectree::Entry<std::uint16_t>>;

inline SmallEntries tagged(const Scanned& c, const tectree::ClassTags& tags) {
  SmallEntries out;
  for (const auto& e : c.entries) {
    out.emplace_back(e.rank, e.row);
    out.back().tag = tags.of(c.label[e.row]);
  }
  return out;
}

// Every class is weighted by its rows' weights; `units` must outlive this.
template <class W>
tectree::WeightSides<W> weight_sides(const Scanned& c, const tectree::Kernel& kernel, const W& w,
                                     const tectree::RowUnits& units, const tectree::ClassTags& tags,
                                     double least) {
  tectree::WeightSides<W> out;
  out.make(
      kernel, w, units, tags, c.total<typename W::Count>(), tectree::least_count<W>(least), false,
      [](std::size_t) { return 1.0; },
      [&](auto use) {
        for (std::size_t i = 0; i < c.label.size(); ++i) use(i, c.label[i]);
      });
  return out;
}

}  // namespace support
