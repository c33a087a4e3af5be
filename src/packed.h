// Columns as codes of one or two bytes per value.
#pragma once

#include <memory>
#include <vector>

#include "marshal.h"

struct Codes {
  std::vector<std::uint8_t> one;
  std::vector<std::uint16_t> two;

  std::size_t size() const { return two.empty() ? one.size() : two.size(); }
  std::size_t operator[](std::size_t row) const { return two.empty() ? one[row] : two[row]; }
};
using SharedCodes = std::shared_ptr<const Codes>;

// R vectors that represent codes, with a table of their values (packed.cpp).
SEXP packed_numbers(const SharedCodes& codes, SEXP table);
SEXP packed_texts(const SharedCodes& codes, SEXP table);
