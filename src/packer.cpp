// Packs columns that are read block by block, as codes of one or two bytes per value.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "packed.h"

namespace {

// A column while it is read: codes in the order in which values appear.
class Packer {
 public:
  static constexpr std::size_t most = 65536;

  Packer(bool text, std::size_t rows) : text_(text), rows_(rows) {
    codes_->one.reserve(rows);
    if (text) texts_ = Rcpp::CharacterVector(static_cast<R_xlen_t>(most));
  }

  // Bytes per value: 8 if there are too many values for codes; such texts are not kept.
  double width() const {
    if (given_up_) return text_ ? HUGE_VAL : 8.0;
    return codes_->two.empty() ? 1.0 : 2.0;
  }

  void add(SEXP block) {
    if (TYPEOF(block) != (text_ ? STRSXP : REALSXP)) Rcpp::stop("a block has another type");
    const R_xlen_t n = Rf_xlength(block);
    for (R_xlen_t i = 0; i < n; ++i) {
      if (text_) {
        add_text(STRING_ELT(block, i));
      } else {
        add_number(REAL(block)[i] + 0.0);
      }
    }
  }

  SEXP finish(SEXP like) {
    if (given_up_) {
      Rcpp::NumericVector out(plain_.begin(), plain_.end());
      std::vector<double>().swap(plain_);
      Rf_copyMostAttrib(like, out);
      return out;
    }
    const SharedCodes codes = std::move(codes_);
    if (TYPEOF(like) == LGLSXP) {
      Rcpp::LogicalVector out(static_cast<R_xlen_t>(codes->size()));
      for (std::size_t i = 0; i < codes->size(); ++i) {
        const double x = numbers_[(*codes)[i]];
        out[static_cast<R_xlen_t>(i)] = std::isnan(x) ? NA_LOGICAL : static_cast<int>(x);
      }
      return out;
    }
    Rcpp::RObject out;
    if (text_) {
      Rcpp::Shield<SEXP> table(Rf_xlengthgets(texts_, static_cast<R_xlen_t>(values_)));
      out = packed_texts(codes, table);
    } else {
      out = packed_numbers(codes, Rcpp::NumericVector(numbers_.begin(), numbers_.end()));
    }
    Rf_copyMostAttrib(like, out);
    return out;
  }

 private:
  void add_text(SEXP x) {
    if (given_up_) return;
    bool is_new = false;
    const std::size_t code = number(reinterpret_cast<std::uintptr_t>(x), is_new);
    if (code == most) {
      given_up_ = true;
      return;
    }
    if (is_new) texts_[static_cast<R_xlen_t>(code)] = x;
    put(code);
  }
  void add_number(double x) {
    if (given_up_) return plain_.push_back(x);
    if (std::isnan(x)) x = NA_REAL;
    std::uint64_t key = 0;
    std::memcpy(&key, &x, sizeof key);
    bool is_new = false;
    const std::size_t code = number(key, is_new);
    if (code == most) {
      give_up();
      return plain_.push_back(x);
    }
    if (is_new) numbers_.push_back(x);
    put(code);
  }

  // The code of a value; `most` if there is none left.
  std::size_t number(std::uint64_t key, bool& is_new) {
    std::size_t at = slot_of(key);
    is_new = slots_[at] == 0;
    if (!is_new) return slots_[at] - 1;
    if (values_ == most) return most;
    if (2 * values_ >= slots_.size()) {
      std::vector<std::uint32_t>(2 * slots_.size()).swap(slots_);
      for (std::size_t code = 0; code < values_; ++code)
        slots_[slot_of(keys_[code])] = static_cast<std::uint32_t>(code + 1);
      at = slot_of(key);
    }
    keys_.push_back(key);
    slots_[at] = static_cast<std::uint32_t>(++values_);
    return values_ - 1;
  }
  // The slot of a key, or the slot to put it into.
  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = (key * 0x9E3779B97F4A7C15ull) >> 40 & last;
    while (slots_[at] != 0 && keys_[slots_[at] - 1] != key) at = (at + 1) & last;
    return at;
  }

  void put(std::size_t code) {
    if (code == 256 && codes_->two.empty()) {
      codes_->two.reserve(std::max(rows_, codes_->one.size() + 1));
      codes_->two.assign(codes_->one.begin(), codes_->one.end());
      std::vector<std::uint8_t>().swap(codes_->one);
    }
    if (codes_->two.empty()) {
      codes_->one.push_back(static_cast<std::uint8_t>(code));
    } else {
      codes_->two.push_back(static_cast<std::uint16_t>(code));
    }
  }
  void give_up() {
    given_up_ = true;
    plain_.reserve(std::max(rows_, codes_->size() + 1));
    for (std::size_t i = 0; i < codes_->size(); ++i) plain_.push_back(numbers_[(*codes_)[i]]);
    *codes_ = Codes();
  }

  bool text_, given_up_ = false;
  std::size_t rows_, values_ = 0;
  std::shared_ptr<Codes> codes_ = std::make_shared<Codes>();
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024);  // a code + 1, or 0
  std::vector<std::uint64_t> keys_;                                      // by code
  std::vector<double> numbers_, plain_;
  Rcpp::CharacterVector texts_;
};

}  // namespace

// A packer for columns that are read in blocks. `text`: by column; others are numbers.
// [[Rcpp::export(rng = false)]]
SEXP tec_packer_(Rcpp::LogicalVector text, double rows) {
  return interruptible([&] {
    auto columns = std::make_unique<std::vector<Packer>>();
    for (const int is_text : text)
      columns->emplace_back(is_text != 0, static_cast<std::size_t>(rows));
    return SEXP(Rcpp::XPtr<std::vector<Packer>>(columns.release(), true));
  });
}

// Adds a block; returns the bytes per value of each column from now on.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector tec_pack_(SEXP packer, Rcpp::List block) {
  return interruptible([&] {
    std::vector<Packer>& columns = *Rcpp::XPtr<std::vector<Packer>>(packer);
    Rcpp::NumericVector width(static_cast<R_xlen_t>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      columns[c].add(block[static_cast<R_xlen_t>(c)]);
      width[static_cast<R_xlen_t>(c)] = columns[c].width();
    }
    return width;
  });
}

// The columns, with the types and attributes of the vectors `like`. Empties the packer.
// [[Rcpp::export(rng = false)]]
Rcpp::List tec_packed_(SEXP packer, Rcpp::List like) {
  return interruptible([&] {
    std::vector<Packer>& columns = *Rcpp::XPtr<std::vector<Packer>>(packer);
    Rcpp::List out(like.size());
    for (R_xlen_t c = 0; c < like.size(); ++c)
      out[c] = columns[static_cast<std::size_t>(c)].finish(like[c]);
    columns.clear();
    return out;
  });
}
