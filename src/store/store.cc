#include "store/store.h"

#include <future>
#include <utility>

#include "store/replay.h"
#include "store/timeline.h"
#include "store/writer.h"

namespace quadra::store {

Result<std::unique_ptr<Store>> Store::Open(std::unique_ptr<Log> log, const Extractor& extractor,
                                           const Clock& clock, const StoreOptions& options) {
  const auto lineage = std::make_shared<Lineage>();
  QUADRA_TRY(Replayed replayed, Replay(*log, extractor, *lineage, options.on_load));
  auto timeline =
      std::make_shared<Timeline>(lineage, options.retention, std::move(replayed.past), clock.Now());
  const Writer::Ground ground{.log = *log,
                              .timeline = *timeline,
                              .lineage = *lineage,
                              .clock = clock,
                              .extractor = extractor};
  auto writer = std::make_unique<Writer>(ground, options.writer, std::move(replayed.deadlines));
  return std::unique_ptr<Store>(new Store(std::move(log), std::move(timeline), std::move(writer)));
}

Store::Store(std::unique_ptr<Log> log, std::shared_ptr<Timeline> timeline,
             std::unique_ptr<Writer> writer)
    : log_(std::move(log)), timeline_(std::move(timeline)), writer_(std::move(writer)) {}

Store::~Store() {
  writer_.reset();
  timeline_->Close();
}

void Store::Submit(Write write, Done done) { writer_->Submit(std::move(write), std::move(done)); }

Outcome Store::Commit(Write write) {
  std::promise<Outcome> answered;
  std::future<Outcome> outcome = answered.get_future();
  Submit(std::move(write), [&](Outcome it) { answered.set_value(std::move(it)); });
  return outcome.get();
}

Snapshot Store::Head() const { return timeline_->Head(); }

IfRetained<Snapshot> Store::At(Revision revision) const { return timeline_->At(revision); }

IfRetained<std::unique_ptr<Watch>> Store::Watch(WatchOptions options) const {
  if (const IfRetained<void> may = timeline_->MayWatch(options.after); !may) {
    return tl::unexpected(may.error());
  }
  return std::make_unique<store::Watch>(timeline_, std::move(options));
}

Status Store::Writable() const { return writer_->Writable(); }

void Store::Maintain() { writer_->Maintain(); }

Status Store::BackUp(const std::filesystem::path& file) { return log_->CopyTo(file); }

}  // namespace quadra::store
