package main

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// lookup is a perfect hash of a struct's JSON names: schema.cc's FindField computes the same.
type lookup struct {
	seed  uint64
	slots []int // index of a field, or noField
}

const (
	noField      = 255
	maxSlots     = 1024
	seedsTried   = 2000
	mixing       = 0x9e3779b97f4a7c15
	smallestSize = 2
)

// perfectHash finds a seed under which all names fall into different slots, in as few slots as that takes.
func perfectHash(fields []field) lookup {
	size := smallestSize
	for size < len(fields) {
		size *= 2
	}
	for ; size <= maxSlots; size *= 2 {
		seed := uint64(mixing)
		for range seedsTried {
			if slots := place(fields, seed, size); slots != nil {
				return lookup{seed: seed, slots: slots}
			}
			seed = seed*6364136223846793005 + 1442695040888963407 | 1
		}
	}
	panic(fmt.Sprintf("no perfect hash for the fields around %s", fields[0].json))
}

// place gives the slots under a seed, or nil when two names share one.
func place(fields []field, seed uint64, size int) []int {
	slots := make([]int, size)
	for i := range slots {
		slots[i] = noField
	}
	shift := 64 - bits.TrailingZeros(uint(size))
	for i, f := range fields {
		slot := fingerprint(f.json) * seed >> shift
		if slots[slot] != noField {
			return nil
		}
		slots[slot] = i
	}
	return slots
}

// fingerprint mixes length and the first and last eight bytes of a name.
func fingerprint(name string) uint64 {
	first, last := ends(name)
	return first + last*mixing + uint64(len(name))
}

func ends(name string) (uint64, uint64) {
	text, n := []byte(name), len(name)
	switch {
	case n >= 8:
		return binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:])
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(text)), uint64(binary.LittleEndian.Uint32(text[n-4:]))
	case n > 0:
		return uint64(text[0]), uint64(text[n/2])<<8 | uint64(text[n-1])
	}
	return 0, 0
}
