package semver

import (
	"strings"

	"quadra/conformance/dice"
)

// generator writes version texts: mostly well-formed, some broken by a character or two.
type generator struct{ dice.Dice }

func (g generator) number() string {
	if g.Chance(70) {
		return dice.Pick(g, "0", "1", "2", "3", "9", "10", "11", "100", "550")
	}
	return dice.Pick(g, "00", "01", "007", "", "18446744073709551615", "18446744073709551616", "9223372036854775807",
		"9223372036854775808", "99999999999999999999999", "20240305", "0000", "1a", "-1", "+1", "x", "0x1", "１")
}

func (g generator) identifier() string {
	return dice.Pick(g, "0", "1", "2", "10", "9", "alpha", "beta", "rc", "rc1", "rc-1", "a", "A", "Z", "-", "--", "0a", "00", "01", "01a", "1-",
		"18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "x-y-z", "é", "", "a b", "build", "5114f85")
}

func (g generator) identifiers() string {
	parts := []string{g.identifier()}
	for g.Chance(45) {
		parts = append(parts, g.identifier())
	}
	return strings.Join(parts, ".")
}

func (g generator) text() string {
	parts := []string{g.number()}
	for range 2 {
		if g.Chance(92) {
			parts = append(parts, g.number())
		}
	}
	text := dice.Pick(g, "", "", "", "", "", "", "v", "V", "vv", " ") + strings.Join(parts, ".")
	if g.Chance(45) {
		text += "-" + g.identifiers()
	}
	if g.Chance(30) {
		text += "+" + g.identifiers()
	}
	for g.Chance(6) {
		text = g.broken(text)
	}
	return text
}

// broken changes, drops or inserts one character.
func (g generator) broken(text string) string {
	runes := []rune(text)
	at := g.IntN(len(runes) + 1)
	end := min(len(runes), at+g.IntN(2))
	return string(runes[:at]) + dice.Pick(g, "", ".", "+", "-", "0", "9", "v", " ", "_", "<", "\"", "\\", "\n", "\t", "\u2028", "😀", "~") + string(runes[end:])
}

// partner is another text, often one that differs from a in a single place.
func (g generator) partner(a string) string {
	base, _, _ := strings.Cut(a, "+")
	release, _, _ := strings.Cut(base, "-")
	switch {
	case g.Chance(50):
		return g.text()
	case g.Chance(60):
		return dice.Pick(g, base, release, release+"-", base+"."+g.identifier(), release) + dice.Pick(g, "", "+"+g.identifiers(), "-"+g.identifiers())
	default:
		return dice.Pick(g, a, "v"+a, "0"+a, g.broken(a), a+".0", a+"+"+g.identifier(), base+"+"+g.identifier())
	}
}
