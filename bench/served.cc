// quadra_load PORT CREDENTIALS PROCESSES COMMAND …: measures a running API server (bench/servers).
//
//   create COLLECTION BODY CLIENTS SECONDS     objects from the file BODY, NAME in it replaced
//   fill COLLECTION BODY COUNT                 so many of them, as fast as it goes; prints nothing
//   get PATH CLIENTS SECONDS
//   list COLLECTION BODY ACCEPT ROUNDS         each after a write to that collection
//   watch COLLECTION BODY WATCHERS EVENTS      from the write to the arrival at each watcher
//   hold COLLECTION WATCHERS                   opens them, says so, and waits for the end of input
//
// CREDENTIALS is a folder with ca.crt, admin.crt and admin.key; PROCESSES are ids with commas between
// them, whose CPU time is told. Each measurement is one line of JSON.
#include <algorithm>
#include <charconv>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "creation.h"
#include "load.h"
#include "watchers.h"

namespace quadra::bench {
namespace {

using Words = std::span<const std::string>;

Result<std::size_t> Number(const std::string& word) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) {
    return Fail(Error{.message = "\"" + word + "\" is no number"});
  }
  return number;
}

Status Create(const Place& place, Words words) {
  QUADRA_TRY(const Creation creation, Creation::Prepare(words[0], words[1]));
  QUADRA_TRY(const std::size_t clients, Number(words[2]));
  QUADRA_TRY(const std::size_t seconds, Number(words[3]));
  QUADRA_TRY(const Outcome outcome,
             AskUntil(place, clients, std::chrono::seconds(seconds), 201, creation));
  std::cout << outcome.ToJson("create") << '\n';
  return {};
}

Status Get(const Place& place, Words words) {
  QUADRA_TRY(const std::size_t clients, Number(words[1]));
  QUADRA_TRY(const std::size_t seconds, Number(words[2]));
  const MakeRequest make = [&](std::uint64_t) {
    return net::Request{
        .method = "GET", .target = words[0], .headers = {{"accept", "application/json"}}};
  };
  QUADRA_TRY(const Outcome outcome,
             AskUntil(place, clients, std::chrono::seconds(seconds), 200, make));
  std::cout << outcome.ToJson("get") << '\n';
  return {};
}

Status Fill(const Place& place, Words words) {
  QUADRA_TRY(const Creation creation, Creation::Prepare(words[0], words[1]));
  QUADRA_TRY(const std::size_t count, Number(words[2]));
  return creation.Fill(place, count);
}

Status CreateOne(net::Client& client, net::Request request) {
  QUADRA_TRY(const net::Response made, client.Fetch(std::move(request)));
  return made.status == 201
             ? Status()
             : Fail(Error{.message = fmt::format("a creation is answered {}", made.status)});
}

// One list, whose bytes are counted as they come.
Result<std::size_t> ListOnce(net::Client& client, const std::string& target,
                             const std::string& accept) {
  std::size_t bytes = 0;
  int answered = 0;
  std::promise<Status> done;
  client.Start({.method = "GET", .target = target, .headers = {{"accept", accept}}},
               {.head = [&](int status, const net::Headers&) { answered = status; },
                .data = [&](std::string_view piece) { bytes += piece.size(); },
                .end = [&](const Status& how) { done.set_value(how); }});
  QUADRA_RETURN_IF_ERROR(done.get_future().get());
  if (answered != 200) {
    return Fail(Error{.message = fmt::format("{} is answered {}", target, answered)});
  }
  return bytes;
}

Status List(const Place& place, Words words) {
  QUADRA_TRY(const Creation creation, Creation::Prepare(words[0], words[1]));
  QUADRA_TRY(const std::size_t rounds, Number(words[3]));
  QUADRA_TRY(const auto client, place.Connect(1));
  for (std::size_t round = 0; round < rounds; ++round) {
    QUADRA_RETURN_IF_ERROR(CreateOne(*client, creation(round)));
    const double server_s = place.ServerSeconds();
    const double start_s = WallSeconds();
    QUADRA_TRY(const std::size_t bytes, ListOnce(*client, words[0], words[2]));
    fmt::print(R"({{"name":"list","bytes":{},"ms":{:.1f},"server_ms":{:.1f}}})"
               "\n",
               bytes, (WallSeconds() - start_s) * 1e3, (place.ServerSeconds() - server_s) * 1e3);
  }
  return {};
}

// Writes 50 objects a second, so that none waits for another.
Status Watch(const Place& place, Words words) {
  QUADRA_TRY(const Creation creation, Creation::Prepare(words[0], words[1]));
  QUADRA_TRY(const std::size_t count, Number(words[2]));
  QUADRA_TRY(const std::size_t events, Number(words[3]));
  Arrivals arrivals(count, events);
  QUADRA_TRY(const auto watchers,
             Watchers::Open(place, words[0], count, [&](std::size_t watcher, std::size_t lines) {
               arrivals.Saw(watcher, lines);
             }));
  QUADRA_TRY(const auto writer, place.Connect(1));
  QUADRA_TRY(net::Response ready, writer->Fetch({.method = "GET", .target = "/version"}));
  Outcome outcome{.wall_s = -WallSeconds(), .server_s = -place.ServerSeconds()};
  for (std::size_t i = 0; i < events; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    arrivals.Wrote();
    QUADRA_RETURN_IF_ERROR(CreateOne(*writer, creation(i)));
  }
  outcome.waits_us = arrivals.Wait();
  outcome.wall_s += WallSeconds();
  outcome.server_s += place.ServerSeconds();
  std::cout << outcome.ToJson("watch") << '\n';
  return {};
}

Status Hold(const Place& place, Words words) {
  QUADRA_TRY(const std::size_t count, Number(words[1]));
  QUADRA_TRY(const auto watchers,
             Watchers::Open(place, words[0], count, [](std::size_t, std::size_t) {}));
  std::cout << "held " << count << std::endl;  // NOLINT(performance-avoid-endl): read at once
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  return {};
}

struct Command {
  std::size_t words;
  Status (*run)(const Place&, Words);
};

const std::map<std::string, Command, std::less<>>& Commands() {
  static const std::map<std::string, Command, std::less<>> commands = {
      {"create", {4, Create}}, {"fill", {3, Fill}},   {"get", {3, Get}},
      {"list", {4, List}},     {"watch", {4, Watch}}, {"hold", {2, Hold}},
  };
  return commands;
}

Result<Place> ReadPlace(Words words) {
  QUADRA_TRY(const std::size_t port, Number(words[0]));
  Place place{.port = static_cast<std::uint16_t>(port), .credentials = words[1], .processes = {}};
  std::string_view left = words[2];
  while (!left.empty()) {
    const std::size_t comma = std::min(left.find(','), left.size());
    QUADRA_TRY(const std::size_t process, Number(std::string(left.substr(0, comma))));
    place.processes.push_back(static_cast<int>(process));
    left.remove_prefix(std::min(comma + 1, left.size()));
  }
  return place;
}

Status Run(Words words) {
  const auto command = words.size() < 4 ? Commands().end() : Commands().find(words[3]);
  if (command == Commands().end() || words.size() != 4 + command->second.words) {
    return Fail(Error{.message = "see the head of bench/served.cc for its arguments"});
  }
  QUADRA_TRY(const Place place, ReadPlace(words));
  return command->second.run(place, words.subspan(4));
}

}  // namespace
}  // namespace quadra::bench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const quadra::Status how = quadra::bench::Run(words);
  if (!how) {
    std::cerr << "quadra_load: " << how.error().ToString() << '\n';
    return 1;
  }
  return 0;
}
