// IP addresses and CIDR blocks in expressions.
#include <array>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
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
    return Fail(ErrorKind::kInvalid,
                fmt::format("IP Address {} parse error during conversion from string: {}", quoted,
                            address.error().message));
  }
  if (address->has_zone) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("IP address {} with zone value is not allowed", quoted));
  }
  if (address->is_mapped()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("IPv4-mapped IPv6 address {} is not allowed", quoted));
  }
  return address;
}

Result<CidrBlock> ParsePlainBlock(std::string_view text) {
  Result<CidrBlock> block = ParseBlock(text);
  if (!block) {
    return Fail(ErrorKind::kInvalid, "network address parse error during conversion from string: " +
                                         block.error().message);
  }
  if (block->address.is_mapped()) {
    return Fail(ErrorKind::kInvalid,
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

// --- Costs. Addresses have four or sixteen bytes.

std::uint64_t ContainsCost(const Value& block) {
  const std::uint64_t size = PlainSize(block);
  return TextCost(size + size);
}

Charge ContainsIpCost(Arguments arguments, const Value& /*result*/) {
  return {ContainsCost(arguments[0])};
}

Charge ContainsIpTextCost(Arguments arguments, const Value& /*result*/) {
  return {ContainsCost(arguments[0]) + TextCost(PlainSize(arguments[1]))};
}

Charge ContainsCidrCost(Arguments arguments, const Value& /*result*/) {
  return {ContainsCost(arguments[0]) + TextCost(PlainSize(arguments[0])) + 1};
}

Charge ContainsCidrTextCost(Arguments arguments, const Value& result) {
  return {ContainsCidrCost(arguments, result).cost + TextCost(PlainSize(arguments[1]))};
}

constexpr CostRange kAddressSize = {.min = 4, .max = 16};

CallEstimate ContainsIpEstimate(const CallSite& /*site*/) {
  return {.cost = (kAddressSize + kAddressSize) * kTraversal};
}

CallEstimate ContainsIpTextEstimate(const CallSite& site) {
  return {.cost = ContainsIpEstimate(site).cost + site.ArgumentSize(0) * kTraversal};
}

CallEstimate ContainsCidrEstimate(const CallSite& site) {
  return {.cost = ContainsIpEstimate(site).cost + kAddressSize * kTraversal + Fixed(1)};
}

CallEstimate ContainsCidrTextEstimate(const CallSite& site) {
  return {.cost = ContainsCidrEstimate(site).cost + site.ArgumentSize(0) * kTraversal};
}

constexpr Row kIpRows[] = {
    {"family", "ip_family", kMember, "net.IP", "int", {Family, cost::One, estimate::One}},
    {"ip",
     "string_to_ip",
     kGlobal,
     "string",
     "net.IP",
     {Address, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"ip.isCanonical",
     "ip_is_canonical",
     kGlobal,
     "string",
     "bool",
     {IsCanonical, cost::ReceiverTwice, estimate::ReadArgumentTwice, kFoldable | kCostByName}},
    {"isGlobalUnicast",
     "ip_is_global_unicast",
     kMember,
     "net.IP",
     "bool",
     {Test<IsGlobalUnicast>, cost::One, estimate::One}},
    {"isIP",
     "is_ip",
     kGlobal,
     "string",
     "bool",
     {IsAddress, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"isLinkLocalMulticast",
     "ip_is_link_local_multicast",
     kMember,
     "net.IP",
     "bool",
     {Test<IsLinkLocalMulticast>, cost::One, estimate::One}},
    {"isLinkLocalUnicast",
     "ip_is_link_local_unicast",
     kMember,
     "net.IP",
     "bool",
     {Test<IsLinkLocalUnicast>, cost::One, estimate::One}},
    {"isLoopback",
     "ip_is_loopback",
     kMember,
     "net.IP",
     "bool",
     {Test<IsLoopback>, cost::One, estimate::One}},
    {"isUnspecified",
     "ip_is_unspecified",
     kMember,
     "net.IP",
     "bool",
     {Test<IsUnspecified>, cost::One, estimate::One}},
    {"string",
     "ip_to_string",
     kGlobal,
     "net.IP",
     "string",
     {AddressToString, cost::One, estimate::One}},
};

constexpr Row kCidrRows[] = {
    {"cidr",
     "string_to_cidr",
     kGlobal,
     "string",
     "net.CIDR",
     {Block, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"containsCIDR",
     "cidr_contains_cidr_string",
     kMember,
     "net.CIDR, string",
     "bool",
     {ContainsBlockText, ContainsCidrTextCost, ContainsCidrTextEstimate}},
    {"containsCIDR",
     "cidr_contains_cidr",
     kMember,
     "net.CIDR, net.CIDR",
     "bool",
     {ContainsBlock, ContainsCidrCost, ContainsCidrEstimate, kCostByName}},
    {"containsIP",
     "cidr_contains_ip_string",
     kMember,
     "net.CIDR, string",
     "bool",
     {ContainsAddressText, ContainsIpTextCost, ContainsIpTextEstimate}},
    {"containsIP",
     "cidr_contains_ip_ip",
     kMember,
     "net.CIDR, net.IP",
     "bool",
     {ContainsAddress, ContainsIpCost, ContainsIpEstimate, kCostByName}},
    {"ip", "cidr_ip", kMember, "net.CIDR", "net.IP", {BlockAddress, cost::One, estimate::One}},
    {"isCIDR",
     "is_cidr",
     kGlobal,
     "string",
     "bool",
     {IsBlock, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"masked",
     "cidr_masked",
     kMember,
     "net.CIDR",
     "net.CIDR",
     {MaskedBlock, cost::One, estimate::One}},
    {"prefixLength",
     "cidr_prefix_length",
     kMember,
     "net.CIDR",
     "int",
     {PrefixLength, cost::One, estimate::One}},
    {"string",
     "cidr_to_string",
     kGlobal,
     "net.CIDR",
     "string",
     {BlockToString, cost::One, estimate::One}},
};

}  // namespace

void DeclareIp(Environment& environment) {
  Declare(environment, kIpRows);
  environment.type_names.push_back({"net.IP", environment.types.Opaque("net.IP")});
}

void DeclareCidr(Environment& environment) {
  Declare(environment, kCidrRows);
  environment.type_names.push_back({"net.CIDR", environment.types.Opaque("net.CIDR")});
}

}  // namespace quadra::cel
