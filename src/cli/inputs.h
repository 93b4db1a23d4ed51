// Inputs: the objects that -f, -R and plain arguments name, for every verb that reads manifests.
#pragma once

#include <functional>

#include "api/object.h"
#include "base/result.h"
#include "cli/verb.h"
#include "json/documents.h"

namespace quadra::cli {

inline constexpr Flag kFilenameFlag{.name = "filename",
                                    .letter = 'f',
                                    .value = "FILE",
                                    .repeated = true,
                                    .joined = true,
                                    .help =
                                        "A file of JSON or YAML, a directory, or - for standard "
                                        "input. May be given several times, or as "
                                        "several with commas between; further "
                                        "arguments are files too."};
inline constexpr Flag kDumpFlag{
    .name = "filename",
    .letter = 'f',
    .value = "FILE",
    .repeated = true,
    .joined = true,
    .help =
        "A file of JSON or YAML, a directory, or - for standard input. May be given several "
        "times, or as several with commas between."};
inline constexpr Flag kRecursiveFlag{
    .name = "recursive", .letter = 'R', .help = "Also read the directories inside directories."};

// Passes every object on, in order. What cannot be read is said on `console.err`, one sentence
// each, and the rest is read all the same. kUsage when something could not be read or nothing was
// named.
ExitCode ReadInputs(const Invocation& invocation, Console& console,
                    const std::function<void(const json::Manifest&)>& visit);

// The same for named files alone.
ExitCode ReadFiles(const std::vector<std::string>& paths, bool recursive, Console& console,
                   const std::function<void(const json::Manifest&)>& visit);

struct ObjectSink {
  std::function<Status(const json::Manifest&, const api::Identity&)> take;
  // What could be had of an object that `take` refused, e.g. "only its name is read"; empty where
  // nothing could.
  std::function<std::string(const json::Manifest&, const api::Identity&)> salvage = nullptr;
};
// The same, with what each object is about. What the sink refuses is left out with a note that names
// the object, and file and line of the error's field; so is what is no object of Kubernetes. The
// answer then is one from partial data: kPartial.
ExitCode ReadObjects(const std::vector<std::string>& paths, bool recursive, Console& console,
                     const ObjectSink& sink);

// Objects as JSON, one behind the other, that no file holds; `name` stands for it in messages.
struct ObjectText {
  std::string name;
  std::string text;
};
// The same for these, one after the other; each is gone when it has been read.
ExitCode ReadObjectTexts(std::vector<ObjectText> texts, Console& console, const ObjectSink& sink);

}  // namespace quadra::cli
