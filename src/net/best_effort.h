// BestEffort: for calls on a socket whose failure changes nothing: what cannot be closed is gone.
#pragma once

#include <boost/system/error_code.hpp>

namespace quadra::net {

inline void BestEffort(const boost::system::error_code& /*outcome*/) {}

}  // namespace quadra::net
