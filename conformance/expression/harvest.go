package expression

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// harvested modules: their tests hold expressions of every kind. They are read from the module cache and never copied.
var harvested = map[string][]string{
	"k8s.io/dynamic-resource-allocation": {"cel"},
	"k8s.io/apiserver":                   {"pkg/cel/library"},
	"github.com/google/cel-go":           {"cel", "checker", "interpreter", "parser", "ext"},
	"cel.dev/expr":                       {"tests/simple/testdata"},
}

const longestSeed = 300

// Harvest collects what `accepts` takes among the texts of upstream's tests.
func Harvest(accepts func(string) bool) ([]string, error) {
	found := map[string]bool{}
	for module, folders := range harvested {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			if err := harvestFolder(filepath.Join(strings.TrimSpace(string(out)), folder), found); err != nil {
				return nil, err
			}
		}
	}
	seeds := []string{}
	for text := range found {
		if len(text) > 3 && len(text) <= longestSeed && strings.ContainsAny(text, ".([{+-*/%<>=!&|?") && accepts(text) {
			seeds = append(seeds, text)
		}
	}
	slices.Sort(seeds)
	return seeds, nil
}

func harvestFolder(folder string, found map[string]bool) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, "_test.go"):
			return harvestGo(path, found)
		case strings.HasSuffix(path, ".textproto"):
			return harvestTextproto(path, found)
		}
		return nil
	})
}

func harvestGo(path string, found map[string]bool) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				found[text] = true
			}
		}
		return true
	})
	return nil
}

var exprField = regexp.MustCompile(`(?m)^\s*expr:\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`)

func harvestTextproto(path string, found map[string]bool) error {
	text, err := readFile(path)
	if err != nil {
		return err
	}
	for _, match := range exprField.FindAllStringSubmatch(text, -1) {
		quoted := match[1]
		if quoted[0] == '\'' {
			quoted = `"` + strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\'`, `'`), `"`, `\"`) + `"`
		}
		if expression, err := strconv.Unquote(quoted); err == nil {
			found[expression] = true
		}
	}
	return nil
}
