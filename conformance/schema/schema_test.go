package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	_ "quadra/conformance/peer" // the flags that conformance/run gives to every comparison
)

// The checked-in tables are what the generator writes today, no file more or less.
func TestTablesAreFresh(t *testing.T) {
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join(generatedFolder, name))
		if err != nil {
			t.Errorf("%v; run tools/schemagen", err)
		} else if !bytes.Equal(have, want) {
			t.Errorf("%s is stale; run tools/schemagen", name)
		}
	}
	present, err := os.ReadDir(generatedFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range present {
		if files[entry.Name()] == nil {
			t.Errorf("%s is no longer generated; remove it", entry.Name())
		}
	}
}
