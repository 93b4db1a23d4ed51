#include "allocator/standing_question.h"

namespace quadra::allocator {
namespace {

// Calls `visit` with the class of every request and alternative.
template <typename Visit>
void VisitClassNames(const api::ResourceClaim& claim, const Visit& visit) {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    if (request.exactly) {
      visit(request.exactly->device_class_name);
    }
    for (const api::DeviceSubRequest& alternative : request.first_available) {
      visit(alternative.device_class_name);
    }
  }
}

}  // namespace

StandingQuestion::Classes StandingQuestion::ClassesIn(const inventory::Snapshot& cluster) const {
  Classes classes;
  for (const api::ResourceClaim* claim : claims_) {
    VisitClassNames(*claim, [&](const std::string& name) {
      const auto found = cluster.classes().find(name);
      classes.push_back(found == cluster.classes().end() ? nullptr : found->second);
    });
  }
  return classes;
}

void StandingQuestion::Ask(const inventory::Snapshot& cluster, Verdicts& verdicts) {
  Allocator allocator(cluster, claims_, verdicts, options_);
  const auto ask = [&](const std::string& name, const inventory::NodeView* view) {
    Forget(name);
    if (view != nullptr) {
      ++asked_;
      const Allocator::Fit fit = allocator.Try(*view);
      const bool fits = fit == Allocator::Fit::kFits;
      Keep(name, {.fit = fit, .score = fits ? allocator.score() : 0});
    }
  };
  Classes classes = ClassesIn(cluster);
  if (seen_ && classes == classes_) {
    cluster.VisitChanges(*seen_, ask);
  } else {
    ranking_.clear();
    answers_.clear();
    for (const auto& view : cluster.views()) {
      ask(view->node->metadata.name, view.get());
    }
  }
  classes_ = std::move(classes);
  seen_ = cluster;
}

void StandingQuestion::Forget(const std::string& node) {
  if (const auto known = answers_.find(node); known != answers_.end()) {
    ranking_.erase(&*known);
    answers_.erase(known);
  }
}

void StandingQuestion::Keep(const std::string& node, const Answer& answer) {
  const auto kept = answers_.emplace(node, answer).first;
  if (answer.fit == Allocator::Fit::kFits) {
    ranking_.insert(&*kept);
  }
}

std::optional<StandingQuestion::Best> StandingQuestion::best() const {
  if (ranking_.empty()) {
    return std::nullopt;
  }
  const Answers::value_type& first = **ranking_.begin();
  return Best{.node = first.first, .score = first.second.score};
}

const StandingQuestion::Answer* StandingQuestion::AnswerOf(std::string_view node) const {
  const auto known = answers_.find(node);
  return known == answers_.end() ? nullptr : &known->second;
}

}  // namespace quadra::allocator
