package main

// fieldOverlay is what we state about a field ourselves.
type fieldOverlay struct {
	Says      string `json:"says"`
	Gate      string `json:"gate"`
	Immutable bool   `json:"immutable"`
	Default   string `json:"default"`
}
