// Schemagen writes src/api/generated: quadra's schema tables from upstream's Go types, OpenAPI documents and our overlay, and
// the table of feature gates from upstream's.
//
//	tools/schemagen        rewrites the files
//
// Everything is read from the modules pinned in go.mod, so the output changes only with them, the overlay or this program.
// `go test` here fails when the checked-in files are stale.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
)

// generatedFolder holds nothing else; relative to this package, where `tools/schemagen` and `go test` run.
const generatedFolder = "../../src/api/generated"

func main() {
	files, err := generate()
	if err == nil {
		err = write(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

// generate gives the contents of every file of generatedFolder, by its name.
func generate() (map[string][]byte, error) {
	known, err := readSources()
	if err != nil {
		return nil, err
	}
	plain, err := arrangePlain(known.types, known.ours)
	if err != nil {
		return nil, err
	}
	if unused := known.ours.unused(); len(unused) > 0 {
		return nil, fmt.Errorf("overlay.yaml: nothing matches %q", unused)
	}
	e := emitter{structures: known.types.sorted(), kinds: known.kinds}
	files := e.files()
	maps.Copy(files, plain.files())
	maps.Copy(files, gateFiles())
	return files, nil
}

// sources is what Go types, OpenAPI documents and overlay know, joined.
type sources struct {
	types *reader
	kinds []kind
	ours  *overlay
}

func readSources() (*sources, error) {
	api, err := readOpenAPI()
	if err != nil {
		return nil, err
	}
	ours, err := readOverlay()
	if err != nil {
		return nil, err
	}
	types := &reader{seen: map[reflect.Type]*structure{}}
	kinds := knownKinds()
	for i := range kinds {
		k := &kinds[i]
		k.structure = types.structure(k.goType)
		k.served = api.kinds[k.GroupVersionKind]
		if k.columns, err = ours.columns(*k); err != nil {
			return nil, err
		}
	}
	if err := annotate(types.sorted(), api, ours); err != nil {
		return nil, err
	}
	return &sources{types: types, kinds: kinds, ours: ours}, nil
}

// annotate adds to the fields what OpenAPI and the overlay say.
func annotate(structures []*structure, api *openAPI, ours *overlay) error {
	for _, s := range structures {
		s.atomic = api.types[s.openAPI].MapType == "atomic"
		for i := range s.fields {
			f := &s.fields[i]
			f.openAPI = api.field(s.openAPI, f.json)
			f.overlay = ours.field(s, f.json)
			if group, _ := s.pkg(); group == "resource" && f.overlay.Says == "" {
				return fmt.Errorf("overlay.yaml: %s.%s has no description", s.goType, f.json)
			}
		}
	}
	return nil
}

func write(files map[string][]byte) error {
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(generatedFolder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
