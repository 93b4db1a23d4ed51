package quantity

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"quadra/conformance/dice"
)

// generator writes quantity texts: mostly well-formed and often at an edge, some broken.
type generator struct{ dice.Dice }

func (g generator) text() string {
	for {
		text := g.number() + g.suffix()
		for g.Chance(10) {
			text = g.broken(text)
		}
		if exponentIsBounded(text) {
			return text
		}
	}
}

// maxExponent keeps upstream from computing for minutes.
const maxExponent = 2000

// exponentIsBounded follows upstream's reading: an int64 cut to its low 32 bits, and no space around it in JSON.
func exponentIsBounded(text string) bool {
	text = strings.TrimSpace(text)
	at := strings.LastIndexAny(text, "eE")
	if at < 0 {
		return true
	}
	exponent, err := strconv.ParseInt(text[at+1:], 10, 64)
	return err != nil || (int32(exponent) <= maxExponent && int32(exponent) >= -maxExponent)
}

func (g generator) digits(n int) string {
	var out strings.Builder
	for range n {
		out.WriteByte("0123456789"[g.IntN(10)])
	}
	return out.String()
}

// length of a run of digits: short, or around the 18 digits of upstream's fast form, or long.
func (g generator) length() int {
	switch {
	case g.Chance(70):
		return g.IntN(6)
	case g.Chance(80):
		return 8 + g.IntN(14)
	default:
		return g.IntN(60)
	}
}

func (g generator) edge() string {
	return dice.Pick(g, "0", "1", "7", "8", "9", "10", "512", "999", "1000", "1023", "1024", "1025", "1536", "8191", "8192",
		"99999", "100000", "999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808",
		"9223372036854775806", "9223372036854774784", "223372036854775808", "18446744073709551615", "18446744073709551616",
		"92233720368547758", "9223372036854775", "922337203685477580", "1152921504606846976", "9007199254740993")
}

func (g generator) number() string {
	sign := dice.Pick(g, "", "", "", "", "", "-", "-", "+")
	zeros := strings.Repeat("0", max(0, g.IntN(8)-5))
	whole := g.digits(g.length())
	if g.Chance(40) {
		whole = g.edge()
	}
	if g.Chance(70) {
		return sign + zeros + whole
	}
	fraction := dice.Pick(g, "", "0", "00", "000", "5", "500", "250", "001", "999", g.digits(g.length()), g.digits(3), g.digits(10))
	return sign + zeros + whole + "." + fraction
}

func (g generator) suffix() string {
	switch {
	case g.Chance(75):
		return dice.Pick(g, "", "", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
	case g.Chance(90):
		return dice.Pick(g, "e", "E") + dice.Pick(g, "", "", "+", "-") + dice.Pick(g, "", "", "0", "00") + fmt.Sprint(g.exponent())
	default:
		return dice.Pick(g, "K", "i", "e", "ki", "mi", "Zi", "kK", "E+", "e-", "m3", "Ki2", " ", "µ", "e1.5", "e99999999999999999999")
	}
}

func (g generator) exponent() int64 {
	switch {
	case g.Chance(90):
		return int64(g.IntN(25))
	case g.Chance(50):
		return int64(g.IntN(maxExponent / 5))
	default:
		return int64(g.IntN(5)-2)<<32 + int64(g.IntN(40))
	}
}

// broken changes, drops or inserts one character.
func (g generator) broken(text string) string {
	at := g.IntN(len(text) + 1)
	end := min(len(text), at+g.IntN(2))
	return text[:at] + dice.Pick(g, "", ".", "+", "-", "e", "E", "i", "n", "u", "m", "k", "K", "M", "G", "0", "9", " ", "x") + text[end:]
}

// partner is another text, often near to a or the same value spelled differently.
func (g generator) partner(a string) string {
	if g.Chance(60) {
		return g.text()
	}
	number := strings.TrimRight(a, "eEinumkKMGTP")
	near := dice.Pick(g, a, number+g.suffix(), number+"0"+g.suffix(), number+"000m", "0"+a, "-"+a, g.broken(a), number+".000000001", number+"001n")
	if !exponentIsBounded(near) {
		return a
	}
	return near
}

func (g generator) json() json.RawMessage {
	text := g.text()
	space := func() string {
		return dice.Pick(g, "", "", " ", "  ", "\t", "\u00a0", "\u2003\u0085", "\u200b", "\ufeff", "\n")
	}
	switch {
	case g.Chance(70):
		quoted, _ := json.Marshal(space() + text + space())
		return quoted
	case g.Chance(50) && json.Valid([]byte(text)):
		return json.RawMessage(text)
	default:
		return json.RawMessage(dice.Pick(g, "null", "true", "{}", "[]", `""`, `"null"`, `"\u0031"`, "1.50", "-0", "1e3", "1E+2", "0.1",
			"-1.5e-10", "123456789012345678901234567890", `" 1.5Gi "`, `"\"1\""`, "[1]", `{"a":1}`))
	}
}

func (g generator) factor() int64 {
	switch {
	case g.Chance(60):
		return int64(g.IntN(2001)) - 1000
	case g.Chance(50):
		return dice.Pick[int64](g, 0, 1, -1, 2, 10, 1000, 1024, math.MaxInt64, math.MaxInt64-1, math.MinInt64+1, 1<<62, 1e18, -1e18)
	default:
		return int64(g.Uint64()) >> g.IntN(64)
	}
}
