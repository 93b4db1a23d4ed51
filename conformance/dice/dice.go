// Package dice makes the small choices of the generators. The same seed makes the same choices.
package dice

import "math/rand/v2"

// Dice is embedded by generators.
type Dice struct{ *rand.Rand }

// Chance is true in percent of 100 cases.
func (d Dice) Chance(percent int) bool { return d.IntN(100) < percent }

// Pick is one of the choices.
func Pick[T any](from interface{ IntN(n int) int }, choices ...T) T {
	return choices[from.IntN(len(choices))]
}
