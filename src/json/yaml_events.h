// YamlEvents: libyaml's event stream over one text, refusing what upstream's port of libyaml
// refuses.
//
// The port (of an older libyaml) differs in small things that are made up for here:
//   - it reads in steps of 512 bytes, and judges what stands behind the first document only as far
//     as it has read;
//   - it knows YAML 1.1 only, the escape \' but not \/, and a byte order mark only at the
//     very start;
//   - in flow collections, a colon before , ? [ ] { } is part of a plain scalar, and ? ends one;
//   - tags may contain , [ ].
// Where libyaml is the stricter or stops elsewhere, the text is edited so that it sees what the
// port sees, and parsed anew up to the same event; characters that had to be hidden are put back
// into the scalars. Not thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <yaml.h>

#include "base/result.h"
#include "json/reader.h"

namespace quadra::json {

class YamlEvents {
 public:
  // Starts before the first event. `text` must outlive this; its first line has the number
  // `first_line`.
  explicit YamlEvents(std::string_view text, std::size_t first_line = 1);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  // Moves to the next event.
  Status Next();
  // Moves to the root of the first document; false if the text has none.
  Result<bool> EnterDocument();
  const yaml_event_t& event() const { return event_; }
  yaml_event_type_t type() const { return event_.type; }
  // Where the event begins; columns count characters.
  Position position() const { return PositionOfMark(event_.start_mark); }
  // The same as an offset in the text. REQUIRES: !edited().
  std::size_t offset() { return OffsetOf(event_.start_mark); }
  // Whether the node at hand, behind anchor and tag, begins with { or [.
  bool StartsWithFlow();
  // Whether the text had to be edited for libyaml.
  bool edited() const { return !edited_.empty(); }

 private:
  // Replaces `size` bytes at `offset` of the text.
  struct Edit {
    std::size_t offset;
    std::size_t size;
    std::string replacement;
  };
  // A character that stands for another one which libyaml must not see.
  struct Disguise {
    std::string seen, meant;
  };

  Position PositionOfMark(const yaml_mark_t& mark) const {
    return {mark.line + first_line_, mark.column + 1};
  }
  static int Read(void* self, unsigned char* buffer, std::size_t size, std::size_t* read);
  void HideLaterByteOrderMarks();
  void Start();
  bool Parse();
  bool EndsBeforeEmptyFlow();
  bool Apply(const Edit& edit);
  const std::string& DisguiseOf(std::string_view meant);
  std::optional<Edit> EditForError();
  std::optional<Edit> EditForEvent();
  std::optional<Edit> EditForTag();
  void TrackFlow();
  void Undisguise();
  bool IsPlainInFlow() const;
  std::size_t OffsetOf(const yaml_mark_t& mark);
  Status CheckEvent();
  Status CheckEscapes();
  tl::unexpected<Error> ParserError() const;

  std::string_view text_;
  std::size_t first_line_;
  std::string edited_;     // the text, once it had to be edited
  std::string_view rest_;  // not yet read by libyaml
  yaml_parser_t parser_;
  yaml_event_t event_;
  std::size_t passed_ = 0;  // events
  std::size_t edits_ = 0;
  std::size_t flow_work_ = 0;  // events times the brackets around them, where those are many
  yaml_event_type_t last_type_ = YAML_NO_EVENT;
  yaml_mark_t last_end_ = {};
  bool has_slash_escape_;
  bool has_bare_tag_;  // "!,": a tag to the port, none to libyaml
  std::vector<Disguise> disguises_;
  std::vector<bool> open_flows_;  // per open collection, whether it is in [ ] or { }
  std::size_t known_index_ = 0;   // a mark's index in characters, and the offset it stands for
  std::size_t known_offset_ = 0;
};

// An Error about YAML at a place.
tl::unexpected<Error> YamlError(Position position, std::string_view what, std::string remedy = {});

}  // namespace quadra::json
