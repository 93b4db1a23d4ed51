// Package discovery compares what our server tells of its resources with the discovery documents that upstream publishes,
// less what we do not serve yet.
package discovery

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"quadra/conformance/peer"
)

// groupVersions are those that we serve.
var groupVersions = strings.Fields(`v1 apps/v1 events.k8s.io/v1 authentication.k8s.io/v1 authorization.k8s.io/v1 batch/v1 policy/v1
	rbac.authorization.k8s.io/v1 storage.k8s.io/v1 apiextensions.k8s.io/v1 scheduling.k8s.io/v1 coordination.k8s.io/v1
	resource.k8s.io/v1 resource.k8s.io/v1beta2 resource.k8s.io/v1beta1 resource.k8s.io/v1alpha3`)

// missing are the resources of those versions that we do not serve yet.
var missing = strings.Fields(`componentstatuses nodes/proxy pods/attach pods/eviction pods/exec pods/log pods/portforward pods/proxy
	serviceaccounts/token services/proxy`)

type question struct {
	Path       string `json:"path"`
	Aggregated bool   `json:"aggregated"`
}

func questions() []question {
	asked := []question{{Path: "/api"}, {Path: "/apis"}, {Path: "/apis", Aggregated: true}, {Path: "/apis/nobody.example.com"}}
	for _, version := range groupVersions {
		if group, _, ok := strings.Cut(version, "/"); ok {
			asked = append(asked, question{Path: "/apis/" + group}, question{Path: "/apis/" + version})
		} else {
			asked = append(asked, question{Path: "/api/" + version})
		}
	}
	return asked
}

func TestDiscovery(t *testing.T) {
	asked := questions()
	folder := documents(t)
	peer.Comparison{
		Name: "discovery", Module: "kubernetes-v1.37.1", Listed: true, Default: len(asked), Recorded: len(asked),
		Ask:    func(_ *rand.Rand, i int) any { return asked[i%len(asked)] },
		Answer: func(line []byte) any { return answer(folder, line) },
	}.Run(t)
}

// documents is the folder of upstream's discovery documents.
func documents(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "api", "discovery")
}

func answer(folder string, line []byte) any {
	var asked question
	must(json.Unmarshal(line, &asked))
	if asked.Aggregated {
		return served(read[apidiscovery.APIGroupDiscoveryList](folder, "aggregated_v2"))
	}
	name := strings.ReplaceAll(strings.TrimPrefix(asked.Path, "/"), "/", "__")
	if _, err := os.Stat(filepath.Join(folder, name+".json")); err != nil {
		return nil
	}
	switch depth := strings.Count(asked.Path, "/"); {
	case asked.Path == "/api":
		return read[metav1.APIVersions](folder, name)
	case asked.Path == "/apis":
		list := read[metav1.APIGroupList](folder, name)
		list.Groups = slices.DeleteFunc(list.Groups, func(g metav1.APIGroup) bool { return !servesGroup(g.Name) })
		for i := range list.Groups {
			keepVersions(&list.Groups[i])
		}
		return list
	case depth == 2 && strings.HasPrefix(asked.Path, "/apis/"):
		group := read[metav1.APIGroup](folder, name)
		keepVersions(&group)
		return group
	}
	list := read[metav1.APIResourceList](folder, name)
	list.APIResources = slices.DeleteFunc(list.APIResources, func(r metav1.APIResource) bool { return slices.Contains(missing, r.Name) })
	for i := range list.APIResources {
		list.APIResources[i].StorageVersionHash = "" // which version is stored is nobody's business
	}
	return list
}

func read[T any](folder, name string) (document T) {
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	must(err)
	must(json.Unmarshal(text, &document))
	return document
}

func servesGroup(name string) bool {
	return slices.ContainsFunc(groupVersions, func(version string) bool { return strings.HasPrefix(version, name+"/") })
}

func keepVersions(group *metav1.APIGroup) {
	group.Versions = slices.DeleteFunc(group.Versions, func(v metav1.GroupVersionForDiscovery) bool {
		return !slices.Contains(groupVersions, v.GroupVersion)
	})
}

// served is the aggregated document without what we do not serve.
func served(list apidiscovery.APIGroupDiscoveryList) apidiscovery.APIGroupDiscoveryList {
	list.Items = slices.DeleteFunc(list.Items, func(g apidiscovery.APIGroupDiscovery) bool { return !servesGroup(g.Name) })
	for i, group := range list.Items {
		list.Items[i].Versions = slices.DeleteFunc(group.Versions, func(v apidiscovery.APIVersionDiscovery) bool {
			return !slices.Contains(groupVersions, group.Name+"/"+v.Version)
		})
	}
	return list
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
