// IP addresses and CIDR blocks in expressions.
#include <array>

#include <fmt/format.h>

#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/ip.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

// Without zones and without IPv4 in disguise.
Result<IpAddress> ParsePlainAddress(std::string_view text) {
  Result<IpAddress> address = ParseAddress(text);
  const std::string quoted = GoQuote(text);
  if (!address) {
    return Fail(Reason::kInvalid,
                fmt::format("IP Address {} parse error during conversion from string: {}", quoted,
                            address.error().message));
  }
  if (address->has_zone) {
    return Fail(Reason::kInvalid,
                fmt::format("IP address {} with zone value is not allowed", quoted));
  }
  if (address->is_mapped()) {
    return Fail(Reason::kInvalid,
                fmt::format("IPv4-mapped IPv6 address {} is not allowed", quoted));
  }
  return address;
}

Result<CidrBlock> ParsePlainBlock(std::string_view text) {
  Result<CidrBlock> block = ParseBlock(text);
  if (!block) {
    return Fail(Reason::kInvalid, "network address parse error during conversion from string: " +
                                      block.error().message);
  }
  if (block->address.is_mapped()) {
    return Fail(Reason::kInvalid,
                fmt::format("IPv4-mapped IPv6 address {} is not allowed", GoQuote(text)));
  }
  return block;
}

Value Made(CallContext& context, const IpAddress& address) {
  return Value::Of(static_cast<const IpAddress*>(context.arena.Make<IpAddress>(address)));
}

Value Made(CallContext& context, const CidrBlock& block) {
  return Value::Of(static_cast<const CidrBlock*>(context.arena.Make<CidrBlock>(block)));
}

Value Address(CallContext& context, Arguments arguments) {
  const Result<IpAddress> address = ParsePlainAddress(arguments[0].as_text());
  return address ? Made(context, *address) : TextError(context.arena, address.error().message);
}

Value Block(CallContext& context, Arguments arguments) {
  const Result<CidrBlock> block = ParsePlainBlock(arguments[0].as_text());
  return block ? Made(context, *block)
               : TextError(context.arena,
                           "network address parse error during conversion from string: " +
                               block.error().message);
}

Value IsAddress(CallContext&, Arguments arguments) {
  return Value::Bool(ParsePlainAddress(arguments[0].as_text()).has_value());
}

Value IsBlock(CallContext&, Arguments arguments) {
  return Value::Bool(ParsePlainBlock(arguments[0].as_text()).has_value());
}

Value IsCanonical(CallContext& context, Arguments arguments) {
  const std::string_view text = arguments[0].as_text();
  const Result<IpAddress> address = ParsePlainAddress(text);
  return address ? Value::Bool(AddressText(*address) == text)
                 : TextError(context.arena, address.error().message);
}

Value Family(CallContext&, Arguments arguments) {
  return Value::Int(arguments[0].as_ip().is_v4 ? 4 : 6);
}

template <bool (*test)(const IpAddress&)>
Value Test(CallContext&, Arguments arguments) {
  return Value::Bool(test(arguments[0].as_ip()));
}

Value AddressToString(CallContext& context, Arguments arguments) {
  return Value::String(context.arena.Copy(AddressText(arguments[0].as_ip())));
}

Value BlockToString(CallContext& context, Arguments arguments) {
  return Value::String(context.arena.Copy(BlockText(arguments[0].as_cidr())));
}

Value ContainsAddress(CallContext&, Arguments arguments) {
  return Value::Bool(Contains(arguments[0].as_cidr(), arguments[1].as_ip()));
}

// A text that is no address: upstream then complains about the block.
Value ContainsAddressText(CallContext&, Arguments arguments) {
  const Result<IpAddress> address = ParsePlainAddress(arguments[1].as_text());
  return address ? Value::Bool(Contains(arguments[0].as_cidr(), *address))
                 : Value::Of(&errors::kNoSuchOverload);
}

bool Covers(const CidrBlock& outer, const CidrBlock& inner) {
  return Overlaps(outer, inner) && outer.length <= inner.length;
}

Value ContainsBlock(CallContext&, Arguments arguments) {
  return Value::Bool(Covers(arguments[0].as_cidr(), arguments[1].as_cidr()));
}

Value ContainsBlockText(CallContext& context, Arguments arguments) {
  const std::array<Value, 1> text = {arguments[1]};
  const Value block = Block(context, text);
  return block.is_error() ? block : Value::Bool(Covers(arguments[0].as_cidr(), block.as_cidr()));
}

Value BlockAddress(CallContext& context, Arguments arguments) {
  return Made(context, arguments[0].as_cidr().address);
}

Value PrefixLength(CallContext&, Arguments arguments) {
  return Value::Int(arguments[0].as_cidr().length);
}

Value MaskedBlock(CallContext& context, Arguments arguments) {
  return Made(context, Masked(arguments[0].as_cidr()));
}

constexpr std::array kBindings = {
    Binding{"string_to_ip", Address, kFoldable},
    Binding{"is_ip", IsAddress, kFoldable},
    Binding{"ip_is_canonical", IsCanonical, kFoldable},
    Binding{"ip_family", Family},
    Binding{"ip_is_unspecified", Test<IsUnspecified>},
    Binding{"ip_is_loopback", Test<IsLoopback>},
    Binding{"ip_is_link_local_multicast", Test<IsLinkLocalMulticast>},
    Binding{"ip_is_link_local_unicast", Test<IsLinkLocalUnicast>},
    Binding{"ip_is_global_unicast", Test<IsGlobalUnicast>},
    Binding{"ip_to_string", AddressToString},
    Binding{"string_to_cidr", Block, kFoldable},
    Binding{"is_cidr", IsBlock, kFoldable},
    Binding{"cidr_contains_ip_string", ContainsAddressText},
    Binding{"cidr_contains_ip_ip", ContainsAddress},
    Binding{"cidr_contains_cidr_string", ContainsBlockText},
    Binding{"cidr_contains_cidr", ContainsBlock},
    Binding{"cidr_ip", BlockAddress},
    Binding{"cidr_prefix_length", PrefixLength},
    Binding{"cidr_masked", MaskedBlock},
    Binding{"cidr_to_string", BlockToString},
};

}  // namespace

std::span<const Binding> NetworkBindings() { return kBindings; }

}  // namespace quadra::cel
