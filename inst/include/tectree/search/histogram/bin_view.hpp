// A counted column of a node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../data/codes/coded_column.hpp"
#include "../../data/frame.hpp"

namespace tectree {

struct BinView {
  const Column& column;
  const CodedColumn& coded;
  // The node's rows; none where only counts are known, and every code is one value.
  const Sample* sample = nullptr;
  const std::uint32_t* rows = nullptr;
  std::size_t n_rows = 0;

  std::uint8_t code(std::size_t i) const { return coded.binned.code[rows[i]]; }
  double value(std::size_t i) const { return value_of(rows[i]); }
  double value_of(std::uint32_t row) const { return column.value(sample->row(row)); }
  // Prefetches a value that is read soon.
  void fetch(std::uint32_t row) const { column.fetch(sample->row(row)); }
};

}  // namespace tectree
