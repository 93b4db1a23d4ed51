package schedule

import (
	"encoding/json"
	"math/rand/v2"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"quadra/conformance/explain"
)

// DrawDevices makes a question about a pod with claims, whose templates the claim controller has served already.
func DrawDevices(random *rand.Rand) Question {
	line, err := json.Marshal(explain.Draw(random))
	if err != nil {
		panic(err)
	}
	world, err := explain.Read(line)
	if err != nil {
		panic(err)
	}
	question := Question{Pod: world.Pod, Strict: true}
	for _, node := range world.Nodes {
		question.Objects = append(question.Objects, node)
	}
	for _, pod := range world.Pods {
		if pod != world.Pod {
			question.Objects = append(question.Objects, pod)
		}
	}
	for _, class := range world.Classes {
		question.Objects = append(question.Objects, class)
	}
	for _, slice := range world.Slices {
		question.Objects = append(question.Objects, slice)
	}
	for _, claim := range world.Claims {
		claim.TypeMeta = metav1.TypeMeta{Kind: "ResourceClaim", APIVersion: "resource.k8s.io/v1"}
		question.Objects = append(question.Objects, claim)
	}
	question.Pod.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: v1.SchemeGroupVersion.String()}
	return question
}
