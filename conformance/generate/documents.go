package generate

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Documents are JSON texts of many kinds, each made from upstream's golden file of that kind by leaving out most of it and
// then breaking it in a few places.
type Documents struct {
	goldens []Object
	ours    []Object // of resource.k8s.io: these are asked about more often
}

// Document is a text that need not be JSON.
type Document struct {
	Object string `json:"object"`
}

// goldenKinds are group, version and kind of the golden files in use.
var goldenKinds = strings.Fields(`
	resource.k8s.io.*.* core.v1.Pod core.v1.Node core.v1.Namespace core.v1.Event core.v1.ConfigMap core.v1.Secret core.v1.ServiceAccount
	core.v1.ResourceQuota core.v1.LimitRange core.v1.Service core.v1.Endpoints core.v1.PersistentVolume core.v1.PersistentVolumeClaim
	core.v1.ReplicationController core.v1.Binding core.v1.PodTemplate events.k8s.io.v1.Event coordination.k8s.io.v1.Lease
	rbac.authorization.k8s.io.v1.* authentication.k8s.io.v1.* authorization.k8s.io.v1.* policy.v1.* scheduling.k8s.io.v1.PriorityClass
	apps.v1.* batch.v1.* storage.k8s.io.v1.*`)

// LoadDocuments reads the golden files in the modules k8s.io/api and k8s.io/apiextensions-apiserver.
func LoadDocuments() (*Documents, error) {
	folders, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api", "k8s.io/apiextensions-apiserver").Output()
	if err != nil {
		return nil, fmt.Errorf("where are the golden files: %w", err)
	}
	modules := strings.Fields(string(folders))
	apiFolder := filepath.Join(modules[0], "testdata", "HEAD")
	paths := []string{filepath.Join(modules[1], "pkg", "apis", "testdata", "HEAD", "apiextensions.k8s.io.v1.CustomResourceDefinition.json")}
	for _, kind := range goldenKinds {
		matches, err := filepath.Glob(filepath.Join(apiFolder, kind+".json"))
		if err != nil || len(matches) == 0 {
			return nil, fmt.Errorf("no golden file of %s in %s: %v", kind, apiFolder, err)
		}
		paths = append(paths, matches...)
	}
	documents := &Documents{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var object Object
		decoder := json.NewDecoder(strings.NewReader(string(text)))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		documents.goldens = append(documents.goldens, object)
		if strings.HasPrefix(filepath.Base(path), "resource.k8s.io") {
			documents.ours = append(documents.ours, object)
		}
	}
	return documents, nil
}

// Golden is upstream's golden object of one of the kinds, whole. Numbers are json.Number.
func (d *Documents) Golden(s *Source) Object {
	if s.Chance(0.4) {
		return Clone(Pick(s, d.ours...)).(Object)
	}
	return Clone(Pick(s, d.goldens...)).(Object)
}

// Question is a document of one of the kinds.
func (d *Documents) Question(s *Source) Document {
	golden := Pick(s, d.goldens...)
	if s.Chance(0.4) {
		golden = Pick(s, d.ours...)
	}
	root := parse(golden)
	for i := range root.members {
		if root.members[i].key == "metadata" {
			s.thin(root.members[i].value, 0.2, 1)
		}
	}
	s.thin(root, keptShare(len(root.all())), 0)
	for range Pick(s, 0, 1, 1, 2, 3) {
		s.breakNode(root)
	}
	root.quoteKeys()
	out := writer{blank: Pick(s, "", "", " ", "\n  ", "\r\n", "\t")}
	out.write(root)
	return Document{s.breakText(out.String())}
}

// keptShare leaves about 30 values of a document.
func keptShare(size int) float64 {
	switch {
	case size < 60:
		return 0.8
	case size < 300:
		return 0.6
	}
	return 0.45
}

// breakNode changes one place of the document.
func (s *Source) breakNode(root *node) {
	nodes := root.all()
	n := Pick(s, nodes...)
	objects := slices.DeleteFunc(slices.Clone(nodes), func(n *node) bool { return n.shape != '{' })
	object := Pick(s, objects...)
	switch s.IntN(10) {
	case 0, 1:
		object.insert(s, member{s.strangeKey(object), s.strangeValue()})
	case 2, 3:
		object.repeat(s)
	case 4:
		object.rename(s)
	case 5, 6:
		if n != root {
			*n = *s.strangeValue()
		}
	case 7:
		s.Shuffle(len(object.members), func(i, j int) {
			object.members[i], object.members[j] = object.members[j], object.members[i]
		})
	case 8:
		if n.shape == '[' {
			n.elements = append(n.elements, s.strangeValue())
		} else if special := slices.DeleteFunc(nodes, func(n *node) bool { return !looksSpecial(n) }); len(special) > 0 {
			Pick(s, special...).scalar = Pick(s, strangeScalars...)
		}
	case 9:
		if n != root {
			*n = *Pick(s, nodes...).clone()
		}
	}
}

// looksSpecial: a time or a quantity, which Go reads by code of its own.
func looksSpecial(n *node) bool {
	return n.shape == 's' && len(n.scalar) > 2 && n.scalar[0] == '"' && n.scalar[1] >= '0' && n.scalar[1] <= '9'
}

func (n *node) insert(s *Source, m member) {
	n.members = slices.Insert(n.members, s.IntN(len(n.members)+1), m)
}

// repeat gives a member twice, with the same or another value.
func (n *node) repeat(s *Source) {
	if len(n.members) == 0 {
		return
	}
	again := Pick(s, n.members...)
	again.value = again.value.clone()
	if s.Chance(0.3) {
		again.value = s.strangeValue()
	}
	n.insert(s, again)
}

// rename changes how a name is written, or the name.
func (n *node) rename(s *Source) {
	if len(n.members) == 0 {
		return
	}
	m := &n.members[s.IntN(len(n.members))]
	switch s.IntN(5) {
	case 0:
		m.key = strings.ToUpper(m.key)
	case 1:
		m.key += "x"
	case 2:
		m.key = strings.ToLower(m.key)
	case 3:
		if m.key != "" && m.key[0] < 0x80 {
			m.key = fmt.Sprintf(`"\u%04x%s"`, m.key[0], m.key[1:])
		}
	case 4:
		if m.key != "" {
			m.key = strings.ToUpper(m.key[:1]) + m.key[1:]
		}
	}
}

func (s *Source) strangeKey(object *node) string {
	keys := []string{"zzz", "foo.bar", "a[0]", "", "ü", "nodeAllocatableResourceMappings", "Name", "metadata", "name", "spec", "items", "kind", "apiVersion", "creationTimestamp", "a b", "quote\\\"d"}
	if s.Chance(0.1) && len(object.members) > 0 {
		return Pick(s, object.members...).key + "s"
	}
	if s.Chance(0.2) {
		return Pick(s, quotedKeys...)
	}
	return Pick(s, keys...)
}

// quotedKeys have characters that messages do not show as they are. JSON has them as escapes.
var quotedKeys = []string{
	`"bell\u0007"`, `"tab\tnew\nline"`, `"nul\u0000"`, `"del\u007f"`, `"soft\u00ad"`, `"no\u00a0break"`, `"zero\u200bwidth"`, `"line\u2028"`,
	`"lone\ud800"`, `"smile\ud83d\ude00"`, `"tag\udb40\udc01"`, `"private\ue000"`, `"back\\slash"`, `"a\"b"`, `"\u0085"`, `"日本"`, `"\b\f\r"`,
}

// Values that are right in few places. An exponent is bounded since Go's quantities are slow for huge ones.
var strangeScalars = []string{
	`null`, `true`, `false`, `0`, `1`, `-1`, `1.0`, `1.5`, `1e2`, `1E+2`, `-0`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`,
	`2147483648`, `4294967296`, `1e400`, `0.1e-5`, `123456789012345678901234567890`, `""`, `"x"`, `"1"`, `"10Gi"`, `"1.5x"`, `"2026-01-02T03:04:05Z"`,
	`"2026-01-02"`, `"2026-01-02T03:04:05.123456Z"`, `"5s"`, `"YWJj"`, `"not base64!"`, `"\u00e4\n\t\"\\\/"`, `"\ud83d\ude00"`, `"True"`, `" 5 "`, `"http"`, `"80%"`,
}

func (s *Source) strangeValue() *node {
	switch s.IntN(12) {
	case 0:
		return &node{shape: '{'}
	case 1:
		return &node{shape: '['}
	case 2:
		return &node{shape: '[', elements: []*node{s.strangeValue()}}
	case 3:
		return &node{shape: '{', members: []member{{Pick(s, "a", "name", "zzz"), s.strangeValue()}}}
	}
	return scalarNode(Pick(s, strangeScalars...))
}

// breakText seldom changes the text itself, so that it is no JSON any more, or barely.
func (s *Source) breakText(text string) string {
	if s.Chance(0.92) {
		return text
	}
	at := s.IntN(len(text))
	switch s.IntN(12) {
	case 0:
		return text[:at]
	case 1:
		return text + Pick(s, " ", "\n", "}", "{}", ",", "x", "\x00")
	case 2:
		return Pick(s, " \n\t\r", "\ufeff", "//c\n", "\v", "[") + text
	case 3:
		return Pick(s, "", "null", "[]", `"text"`, "5", "{}", "true", `{"kind":5}`, `{"apiVersion":"v1"}`, `{"kind":"Pod"}`, `{"kind":"Pod","apiVersion":"v9"}`, `{"kind":"Pod","apiVersion":"a/b/c"}`, `{"kind":null,"apiVersion":"v1"}`, `{"apiVersion":"v1","kind":"Pod"}`)
	case 4:
		return strings.Replace(text, ",", Pick(s, ",,", "", ";", ", ,"), 1)
	case 5:
		return strings.Replace(text, `"`, "'", 2)
	case 6:
		return strings.Replace(text, ":", Pick(s, "=", "", "::"), 1)
	case 7:
		return strings.Replace(text, "}", ",}", 1)
	case 8:
		return strings.Replace(text, `":`, `":`+Pick(s, "01", "+1", ".5", "1.", "NaN", "0x1", "True", "nul", "1e", "-")+`,"`, 1)
	case 9:
		return strings.Replace(text, `":"`, `":"`+Pick(s, "\t", "\n", "\\x", "\\u12", "\x7f", "\\'"), 1)
	case 10:
		depth := Pick(s, 10, 100, 1000)
		return strings.Replace(text, `{`, `{"deep":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+",", 1)
	}
	return text[:at] + text[min(at+1, len(text)):]
}
