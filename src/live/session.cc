#include "live/session.h"

namespace quadra::live {

Session::Session(client::Connection connection, Options options)
    : connection_(std::move(connection)),
      api_(std::make_unique<client::Api>(
          *connection_.client, loop_,
          client::ApiOptions{
              .field_manager = "quadra-client-side-apply",
              .field_validation = "Strict",
              .headers = connection_.headers ? connection_.headers : [] { return net::Headers(); },
              .on_warning = std::move(options.on_warning),
              .renew = connection_.renew ? connection_.renew : [] { return false; }})),
      tasks_(std::make_unique<loop::TaskGroup>()) {}

Session::~Session() {
  loop_.Stop();
  tasks_.reset();
  api_.reset();
}

}  // namespace quadra::live
