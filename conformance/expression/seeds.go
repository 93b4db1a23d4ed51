package expression

// Seeds are expressions whose meaning is easy to get wrong; mutations start from them. A stands for the attributes of the
// first domain, C for its capacity.
var Seeds = expand(`
device.driver == "gpu.example.com"
device.driver.startsWith("gpu.")
device.driver.endsWith(".com") && device.driver.contains("example")
A.model == "A100"
A.model == "A100" && A.n > 3 && A.ok
A.ver.isGreaterThan(semver("1.0.0"))
A.ver.compareTo(semver("1.2.3")) >= 0
semver("v1.2", true) == semver("1.2.0")
C.memory.isGreaterThan(quantity("40Gi"))
C.memory.compareTo(quantity("40Gi")) >= 0
C.memory == quantity("80Gi")
C.memory != quantity("80Gi")
C.memory.add(quantity("1Gi")) == quantity("81Gi")
quantity("81Gi") == C.memory.add(quantity("1Gi"))
C.memory in [quantity("80Gi")]
has(A.model)
has(A.model) && A.model.matches("^A.*")
has(device.attributes.nope)
"nope" in device.attributes
device.attributes.?nope.hasValue()
device.attributes[?"nope"].hasValue()
A.?model.orValue("none") == "A100"
A.?n.optMap(x, x + 1).orValue(0) > 3
A[?"n"].or(optional.of(7)).value() == 7
cel.bind(dra, A, dra.ok && dra.n > 0)
cel.bind(x, 1 / 0, true)
cel.bind(x, A.nope, x || true)
A.nope || true
true || A.nope
A.nope && false
A.nope + 1 == 1 || true
A.ver in ["a"] || true
A.ver == "1.0.0"
A.ver != "1.0.0"
dyn("1.0.0") == A.ver
[A.ver] == [dyn("x")]
[dyn("x")] == [A.ver]
[1/0].sort() == [] || true
[1/0].distinct() == [] || true
[1/0].reverse() == [] || true
A.n.distinct() == []
true ? A.ok : A.ok
(true ? A : A).ok
A.model.y
[A.ok][0]
device == device
has({'foo': optional.none()}.foo.bar)
[1,2].slice(3,1)
["a","b"].join("-") == "a-b"
["b","a"].min() == "a"
type(1) == int
type(device) == map
type(A) == map
"%s %d".format(["a", 1]) == "a 1"
"%e".format([1234.5]) == ""
"%f".format([1234567.891]) == ""
"%s".format([A.model]) == "A100"
"%s".format([{"b": [1, 2.5, true], "a": null}]) == ""
[1, 2, 3].all(x, x > 0)
[1, 2, 3].exists(x, x / (x - 2) > 0)
[1, 2, 3].exists_one(i, x, x == 2)
[1, 2, 3].map(x, x * 2).filter(x, x > 2) == [4, 6]
[3, 1, 2].sortBy(x, -x) == [3, 2, 1]
{"a": 1, "b": 2}.all(k, v, v > 0)
{"a": 1, "b": 2}.transformMap(k, v, v + 1) == {"a": 2, "b": 3}
{"a": 1}.transformMapEntry(k, v, {v: k}) == {1: "a"}
[1, 2].transformList(i, v, i + v) == [1, 3]
device.attributes.all(d, d != "")
A.all(k, k.size() < 10)
A.exists(k, v, v == "A100")
A.tags.exists(t, t == "a")
A.tags.includes("a")
A.sizes.sum() > 3
A.sizes.all(x, x > 0)
C.all(k, C[k].isInteger())
device.capacity.exists(d, device.capacity[d].exists(k, k == "memory"))
1 == 1.0
dyn(1) == 1.0
dyn(1) == 1u
1 < 2.5
2.0 in [1]
dyn(2.0) in [1, 2]
1 in {1: 2}
dyn(1.0) in {1: 2}
{1: 2}[dyn(1u)] == 2
-9223372036854775808 == 0
--9223372036854775808 == 0
0x7fffffffffffffff + 1 == 0
9223372036854775807 * 2 == 0
-9223372036854775808 / -1 == 0
5 % 0 == 0
5u - 6u == 0u
int(1e19) == 0
int("x") == 0
int(dyn("x")) == 0
uint(-1) == 0u
bool("yes")
string(1234567.0) == "1.234567e+06"
string(1.0/0.0) == "+Inf"
double("NaN") == double("NaN")
0.0/0.0 < 1.0
"é".size() == 1
"日本語".charAt(1) == "本"
"tacocat".substring(1, 4) == "aco"
"a,b,c".split(",", 2) == ["a", "b,c"]
"hello".replace("l", "", 1) == "helo"
" a ".trim().upperAscii() == "Q"
"abc".indexOf("c", -1) == 2
"abc".lastIndexOf("") == 3
strings.quote("a\"b") == ""
"a".matches(dyn("("))
"abc123".find("[0-9]+") == "123"
"a1b2".findAll("[0-9]", 1) == ["1"]
duration("1h").getMinutes() == 60
duration("1500ms").getMilliseconds() == 1500
timestamp("2024-01-02T03:04:05Z").getHours("America/Los_Angeles") == 19
timestamp("2024-01-02T03:04:05Z").getHours("America") == 19
timestamp("2024-01-02T03:04:05Z") + duration("1h") > timestamp("2024-01-02T03:04:05+02:00")
string(timestamp("2024-02-29T12:00:00+05:30"))=="2024-02-29T12:00:00+05:30"
timestamp(0) == timestamp("1970-01-01T00:00:00Z")
ip("10.0.0.1").family() == 4
cidr("10.0.0.0/8").containsIP("10.1.2.3")
cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16"))
string(cidr("192.168.1.5/24").masked()) == "192.168.1.0/24"
url("https://example.com:80/p?k=v").getHost() == "example.com:80"
url("https://example.com:80/p?k=v").getQuery() == {"k": ["v"]}
isURL("/p") && !isQuantity("1K") && isSemver("1.0.0") && isIP("::1") && isCIDR("::/0")
format.dns1123Label().validate("Q").value() == []
!format.named("uuid").value().validate("x").hasValue()
sets.contains([1, 2, 3], [1, 2]) && sets.intersects([1], [1]) && sets.equivalent([1, 1], [1])
[[1], [2, [3]]].flatten() == [1, 2, 3]
[[1, [2]], [3]].flatten(2) == [1, 2, 3]
lists.range(5).sum() == 10
[1, 2].isSorted() && [1, 2].max() == 2 && [1, 2].indexOf(2) == 1
[1, 2].first().value() == 1 && ![].last().hasValue()
optional.unwrap([optional.of(1), optional.none()]) == [1]
[optional.of(1)].unwrapOpt() == [1]
optional.ofNonZeroValue("").hasValue()
{?"a": optional.of(1), "b": 2} == {"a": 1, "b": 2}
[?optional.none(), 1] == [1]
{"a": {"b": 1}}.?a.?b.orValue(0) == 1
{b"x": 1} == {}
{bytes(device.driver): 1} == {} || true
b"abc" + b"d" == b"abcd"
string(b"\xff") == ""
"a" + 1 == ""
[1, "a"] == []
[1, A.n] == [1, 7]
[A.n] == [7]
[dyn(1), dyn("a")] == []
{1: 1, 1: 2} == {1: 2}
net.IP == type(ip("::1"))
google.protobuf.Timestamp == type(timestamp(0))
type(device) == kubernetes.DRADevice
kubernetes.DRADevice{} == device
kubernetes.DRADevice{driver: device.driver}.driver == "gpu.example.com"
kubernetes.DRADevice{?driver: optional.of("x")}.driver == "x"
has(kubernetes.DRADevice{}.driver)
true || kubernetes.DRADevice{}.driver == "x"
null == null
A.nope == null
a ? b : c
true ? false ? true : false : true
true ? (false ? true : false) : true
!!!true
1 - -1 == 2
[1][0] + {"a": 2}.a == 3
A.` + "`model`" + ` == "A100"
device.attributes["d"]["n"] == 7
device["driver"] == "d"
device.allowMultipleAllocations
device.allowMultipleAllocations == false && !device.allowMultipleAllocations
google.protobuf.Int64Value{value: 7} == 7
google.protobuf.Duration{seconds: 1} == duration("1s")
optional.none().hasValue()
x.y.z
f(1)
size("a") == "a".size()
[1,2,3][5] == 1
{"a":1}["b"] == 1
{"a":1}.b == 1
device.nope
string(device)
"a" in A
A == {}
A.n - 1u == 0u
[0, 1, 2].map(x, [0, 1].map(y, x * y)).flatten().sum() == 3
lists.range(30).all(x, lists.range(30).all(y, x + y >= 0))
`)

func expand(list string) []string {
	seeds := []string{}
	for _, line := range splitLines(list) {
		seeds = append(seeds, attributeLetter.ReplaceAllStringFunc(line, func(letter string) string {
			if letter == "A" {
				return `device.attributes["gpu.example.com"]`
			}
			return `device.capacity["gpu.example.com"]`
		}))
	}
	return seeds
}
