package explain

import (
	"context"
	"maps"
	"slices"
	"strings"

	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// Answer is one line back.
type Answer struct {
	// Fits says whether the pod goes somewhere: some node takes it, and none fails it on all of them.
	Fits bool `json:"fits"`
	// Waits says that no node could change it: upstream's PreFilter refuses.
	Waits bool `json:"waits,omitempty"`
	// Nodes say why not, by name: the words of the first filter that refuses; "devices" where that is about claims, since upstream
	// looks for devices even where claims are bound elsewhere; nothing where the pod may go there.
	Nodes map[string]string `json:"nodes,omitempty"`
}

// failed is what a node says that fails the pod on all of them.
const failed = "error"

// Reply answers a question as upstream does.
func (s *scheduler) Reply(world *World) Answer {
	s.cluster.Show(world.Slices, world.Classes, world.Claims)
	ctx, state := context.Background(), framework.NewCycleState()
	infos := infosOf(world)
	filters := []fwk.FilterPlugin{}
	for _, filter := range s.filters {
		prefilter, ok := filter.(fwk.PreFilterPlugin)
		if !ok {
			filters = append(filters, filter)
			continue
		}
		_, status := prefilter.PreFilter(ctx, state, world.Pod, infos)
		switch {
		case status.IsSuccess():
			filters = append(filters, filter)
		case !status.IsSkip():
			return Answer{Waits: true}
		}
	}
	answer := Answer{Nodes: map[string]string{}}
	for _, info := range infos {
		answer.Nodes[info.Node().Name] = refusal(ctx, filters, state, world, info)
	}
	verdicts := slices.Collect(maps.Values(answer.Nodes))
	answer.Fits = slices.Contains(verdicts, "") && !slices.Contains(verdicts, failed)
	return answer
}

func infosOf(world *World) []fwk.NodeInfo {
	infos := []fwk.NodeInfo{}
	for _, node := range world.Nodes {
		info := framework.NewNodeInfo(world.on(node)...)
		info.SetNode(node)
		infos = append(infos, info)
	}
	return infos
}

func refusal(ctx context.Context, filters []fwk.FilterPlugin, state fwk.CycleState, world *World, info fwk.NodeInfo) string {
	for _, filter := range filters {
		status := filter.Filter(ctx, state, world.Pod, info)
		switch {
		case status.IsSuccess():
		case status.Code() == fwk.Error:
			return failed
		case filter.Name() == names.DynamicResources:
			return "devices"
		default:
			return strings.Join(slices.Sorted(slices.Values(status.Reasons())), ", ")
		}
	}
	return ""
}
