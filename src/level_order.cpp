// What takes Armadillo.
#include <RcppArmadillo.h>  // with R's settings for it

#include <tectree/search/groups/component_order.hpp>

template std::vector<std::uint32_t> tectree::order_by_component(const Groups&,
                                                                const std::vector<int>&);
