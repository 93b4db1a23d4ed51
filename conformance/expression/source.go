// Package expression makes CEL expressions and devices for the comparisons: typed ones from upstream's overload table,
// mutations of known ones, and garbage. Everything is drawn from one seeded source.
package expression

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Source draws values.
type Source struct{ *rand.Rand }

// Chance is true in `percent` of a hundred cases.
func (s Source) Chance(percent int) bool { return s.IntN(100) < percent }

// Pick is one of the choices.
func Pick[T any](s Source, choices ...T) T { return choices[s.IntN(len(choices))] }

// Text is a piece of text for a purpose; other purposes' texts come up now and then.
func (s Source) Text(purpose string) string {
	if s.Chance(6) {
		purpose = Pick(s, purposes...)
	}
	return Pick(s, texts[purpose]...)
}

// Literal spells a string in one of the language's ways.
func (s Source) Literal(text string) string {
	switch {
	case s.Chance(60):
		return fmt.Sprintf("%q", text) // Go's escapes for printable and control characters are CEL's
	case s.Chance(40) && !strings.ContainsAny(text, "'\\\n\r"):
		return "'" + text + "'"
	case s.Chance(40) && !strings.ContainsAny(text, "\"\n\r"):
		return Pick(s, "r", "R") + "\"" + text + "\""
	case s.Chance(30) && !strings.Contains(text, `"`) && !strings.ContainsAny(text, "\\\r"):
		return `"""` + text + `"""`
	case s.Chance(40) && !strings.ContainsAny(text, "'\\\r"):
		return "'''" + text + "'''"
	}
	return `"` + s.escaped(text) + `"`
}

// escaped spells some characters by number.
func (s Source) escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80 && s.Chance(20):
			fmt.Fprintf(&out, Pick(s, `\x%02x`, `\x%02X`, `\X%02x`, `\u%04x`, `\U%08x`, `\%03o`), r)
		case r < 0x10000 && s.Chance(20):
			fmt.Fprintf(&out, `\u%04x`, r)
		case s.Chance(20):
			fmt.Fprintf(&out, `\U%08X`, r)
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		case r < 0x20:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// Bytes spells a bytes literal.
func (s Source) Bytes() string {
	if s.Chance(50) {
		return Pick(s, "b", "B") + fmt.Sprintf("%q", Pick(s, "", "a", "abc", "gpu", "0", "a b", "é", "日本"))
	}
	return Pick(s, `b"\x00\xff"`, `b'\377\000a'`, `b"\xc3\xa9"`, `b"\xc3"`, `br"\x"`, `rb"a"`, `b'''x'y'''`, `b"\xf0\x9f\x98\x80"`, `b"\u00e9"`)
}

// Domains and identifiers that devices and expressions share.
var (
	Domains = []string{"gpu.example.com", "nic.example.com", "d"}
	IDs     = []string{"model", "ver", "n", "ok", "uuid", "numa", "tags", "sizes", "vers", "flags", "empty", "odd"}
	Memory  = []string{"memory", "cores", "slots", "odd"}
)

// purposes names the classes of texts.
var purposes = []string{"any", "domain", "id", "quantity", "semver", "ip", "cidr", "url", "regex", "duration", "timestamp", "zone", "number",
	"bool", "format", "named", "label"}

var texts = map[string][]string{
	"any": {"", "a", "b", "ab", "abc", "A", "Zz", " a ", "a,b,c", "gpu", "gpu-0", "A100", "H100-SXM", "é", "日本語", "😀x", "a\nb", "a\tb",
		"\"q\"", "back\\slash", "x-y_z", "0", "1", "aaaaaaaaaaaaaaaaaaaaaaaaa", "the quick brown fox jumps over the lazy dog, twice or thrice", "\u00a0", "İ", "ß"},
	"domain": Domains,
	"id":     IDs,
	"quantity": {"0", "1", "5", "80Gi", "40Gi", "1.5Gi", "100Ti", "16Ti", "1Ei", "9Ei", "8Ei", "1E", "1000m", "1.0", "0.1n", "1n", "1e3", "1E3", "5.", "+5", "-1", "-1500m",
		"1K", "5e", "1ki", ".", "+", "Ki", "9223372036854775807", "9223372036854775808", "1234567890123456789012", "0.000000001", "1k", "3u", "12e-3", "", " 1", "１"},
	"semver": {"1.0.0", "1.2.3", "2.0.0", "0.0.1", "1.2.3-alpha", "1.2.3-alpha.1", "1.2.3+build", "1.2.3-rc.1+b.5", "v1.0.0", "v2.3", "1.2", "1", "01.2.3",
		"18446744073709551615.0.0", "18446744073709551616.0.0", "9223372036854775808.1.1", "", "a.b.c", "1.2.3.4", "1.0.0-", "1.0.0+", "1.2-a", "V1.0.0"},
	"ip": {"127.0.0.1", "10.0.0.1", "192.168.1.255", "0.0.0.0", "255.255.255.255", "224.0.0.1", "169.254.1.1", "::1", "::", "fe80::1", "ff02::1", "2001:db8::abcd",
		"2001:DB8::ABCD", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3", "01.2.3.4", "1.2.3.4.5", "", "2001:db8:0:0:0:0:0:1", "a"},
	"cidr": {"10.0.0.0/8", "192.168.0.0/16", "192.168.1.5/24", "0.0.0.0/0", "127.0.0.1/32", "::/0", "2001:db8::/32", "fe80::1/64", "::1/128", "::ffff:1.2.3.0/120",
		"10.0.0.0/33", "10.0.0.0", "10.0.0.0/08", "fe80::1%eth0/64", "", "/8", "10.0.0.0/-1"},
	"url": {"https://example.com:80/path?k=v&k=w#frag", "http://[::1]:8080/a%20b", "https://user:pw@host/p", "/relative/path", "?a=b", "", "http://", "ftp://h/x;y", "mailto:a@b",
		"https://example.com/path?query", "http://ex ample.com", "://x", "https://h/%zz", "HTTP://HOST", "//host/path", "https://host:port/"},
	"regex": {"a", "^a.*$", "[a-z]+", "a|b", "(a)(b)?", "(?i)GPU", "\\d+", "[0-9]{2,3}", ".*", "", "^$", "(", "[", "*", "a{1001}", "a{1000}", "\\pL", "\\p{Greek}", "(?P<n>a)", "(?<n>a)", "\\C",
		"\\bgpu\\b", "x*?", "[[:alpha:]]", "\\x{10FFFF}", "(?s).", "a**", "\\Qa.b\\E", "[^\\n]", "(?U)a+", "\\1", "(?=a)", "\\z", "\\Z"},
	"duration": {"1s", "1h", "1m30s", "-5m", "0", "0s", "1.5h", "100ms", "3us", "3µs", "9ns", "1d", "", "s", "1", "2562047h47m16.854775807s", "2562048h", "+1h", "-2562047h47m16.854775808s", ".5s", "1e3s"},
	"timestamp": {"2024-01-02T03:04:05Z", "1970-01-01T00:00:00Z", "2023-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z",
		"2024-02-29T12:00:00+05:30", "2024-02-30T12:00:00Z", "2024-01-02T03:04:05", "2024-01-02 03:04:05Z", "0000-01-01T00:00:00Z", "2024-01-02T03:04:05.1Z", "2024-06-15T12:30:45-08:00", "x",
		"2024-01-02t03:04:05z", "10000-01-01T00:00:00Z", "2024-1-2T3:4:5Z", "2024-01-02T24:00:00Z", "2024-03-10T09:59:59Z", "2024-03-10T10:00:00Z"},
	"zone":   {"UTC", "America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "+05:30", "-08:00", "02:00", "+0530", "Nowhere/Land", "", "+25:00", "-00:30", "Local", "+1:2", "z", "America", "Europe/", ".", "..", "/etc", "UTC/x", "tzdata.zi", "a\x00b"},
	"number": {"0", "1", "-1", "42", "+7", "007", "1.5", "-0", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1e3", "0x10", "", " 1", "1_000", "NaN", "Inf", "-Infinity", "1e400", "abc"},
	"bool":   {"true", "false", "TRUE", "True", "t", "T", "1", "0", "f", "F", "FALSE", "False", "yes", "", "tRuE"},
	"format": {"%s", "%d", "%f", "%.2f", "%e", "%.3e", "%b", "%x", "%X", "%o", "%%", "a%sb", "%s %s", "%.s", "%q", "%", "%d%d", "plain", "%.20f", "%5d", "%s-%d-%x", "%.0f"},
	"named": {"dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix", "dns1035LabelPrefix", "labelValue",
		"uri", "uuid", "byte", "date", "datetime", "nope", ""},
	"label": {"a", "my-name", "My-Name", "a.b.c", "-a", "a-", "example.com/key", "prefix-", "c0ffee00-0000-0000-0000-000000000000", "aGVsbG8=", "2024-01-02", "2024-01-02T03:04:05Z", "http://x/y", "", "a_b", "1a", strings64},
}

var strings64 = strings.Repeat("a", 64)
