// Proxies that are gains but for a shift and a scale.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "../../data/arena.hpp"
#include "../choose/column_result.hpp"
#include "../scan/cut_proxies.hpp"

namespace tectree {

struct GainProxies {
  const CutProxies& proxies;
  double base;      // the proxy of no gain
  double per_gain;  // how much higher the proxy of a gain of 1 is
  double slack;     // how far a gain may be off, ties included

  double gain(std::uint32_t l) const { return (proxies.of(l) - base) / per_gain; }

  // The least proxy of a cut that gains as much. Below what a double holds gains are rounded by
  // more than their slack.
  double bar(double least) const {
    return (least - slack - std::numeric_limits<double>::denorm_min()) * per_gain + base;
  }

  // Offers the cuts between different values that may be the best of the column and gain as much as
  // the floor.
  template <class Index>
  void offer(const Entry<Index>* entries, double floor, Contenders& out) const {
    const auto tied = [&](std::uint32_t l) { return entries[l - 1].rank == entries[l].rank; };
    // Half of the slack is room for what bar() and gain() round.
    double enough = bar(floor - slack / 2);
    if (!(proxies.most() >= enough)) return;
    const std::uint32_t best = proxies.best(tied);
    // Where gains are next to nothing there may be no slack: the best stays in any case.
    if (best > 0 && gain(best) - slack >= floor)
      enough = std::min(bar(gain(best) - 1.5 * slack), proxies.of(best));
    proxies.each(enough, tied, [&](std::uint32_t l) {
      const double value = gain(l);
      out.offer(l, value - slack, value + slack);
    });
  }
};

}  // namespace tectree
