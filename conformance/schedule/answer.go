package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Answer is one line back, as docs/cli.md describes it.
type Answer struct {
	Result    string    `json:"result"`
	Message   string    `json:"message,omitempty"`
	PreFilter []verdict `json:"preFilter"`
	Refused   []refused `json:"refused"`
	PreScore  []verdict `json:"preScore"`
	Failed    []verdict `json:"failed"`
	Feasible  []rated   `json:"feasible"`
	Devices   []devices `json:"devices"`
}

type verdict struct {
	Plugin  string    `json:"plugin"`
	Code    string    `json:"code"`
	Reasons []string  `json:"reasons,omitempty"`
	Nodes   *[]string `json:"nodes,omitempty"`
}

type refused struct {
	Node string    `json:"node"`
	By   []verdict `json:"by"`
}

type rated struct {
	Node   string  `json:"node"`
	Total  int64   `json:"total"`
	Scores []score `json:"scores"`
}

type score struct {
	Plugin string `json:"plugin"`
	Raw    int64  `json:"raw"`
	Score  int64  `json:"score"`
}

type devices struct {
	Namespace  string                        `json:"namespace"`
	Name       string                        `json:"name"`
	Allocation *resourceapi.AllocationResult `json:"allocation"`
}

// asking is one world that one profile is asked about.
type asking struct {
	*profile
	world *World
	state fwk.CycleState
	nodes []fwk.NodeInfo // by name
	Answer
}

var ctx = context.Background()

// Reply answers a question as upstream does.
func (s *scheduler) Reply(world *World) (*Answer, error) {
	profile, err := s.profileOf(world.Config)
	if err != nil {
		return nil, err
	}
	if err := s.show(world); err != nil {
		return nil, err
	}
	profile.show(world)
	nodes, err := s.snapshot.NodeInfos().List()
	if err != nil {
		return nil, err
	}
	nodes = slices.SortedFunc(slices.Values(nodes), func(a, b fwk.NodeInfo) int { return cmp.Compare(a.Node().Name, b.Node().Name) })
	a := &asking{profile: profile, world: world, state: framework.NewCycleState(), nodes: nodes,
		Answer: Answer{PreFilter: []verdict{}, Refused: []refused{}, PreScore: []verdict{}, Failed: []verdict{}, Feasible: []rated{}, Devices: []devices{}}}
	a.preFilter()
	feasible := a.filter()
	a.score(feasible)
	a.reserve()
	for _, claim := range s.devices.Reserved {
		a.Devices = append(a.Devices, devices{claim.Namespace, claim.Name, claim.Status.Allocation})
	}
	a.Result, a.Message = a.cycle()
	return &a.Answer, nil
}

func said(plugin string, status *fwk.Status) verdict {
	said := verdict{Plugin: plugin, Code: status.Code().String()}
	if status != nil {
		said.Reasons = inOrder(status.Reasons())
	}
	return said
}

// inOrder sorts what upstream says in the order of a map, at the end: of which other resources there is too little.
func inOrder(reasons []string) []string {
	first := slices.IndexFunc(reasons, func(each string) bool {
		resource, lacks := strings.CutPrefix(each, "Insufficient ")
		return lacks && !slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, resource)
	})
	if first < 0 {
		return reasons
	}
	return append(slices.Clone(reasons[:first]), slices.Sorted(slices.Values(reasons[first:]))...)
}

func (a *asking) preFilter() {
	for _, plugin := range a.plugins {
		point, ok := plugin.Plugin.(fwk.PreFilterPlugin)
		if !ok {
			continue
		}
		result, status := point.PreFilter(ctx, a.state, a.world.Pod, a.nodes)
		verdict := said(plugin.Name(), status)
		if status.IsSuccess() && !result.AllNodes() {
			nodes := sets.List(result.NodeNames)
			verdict.Nodes = &nodes
		}
		if !status.IsSuccess() || verdict.Nodes != nil {
			a.PreFilter = append(a.PreFilter, verdict)
		}
	}
}

func has(verdicts []verdict, plugin string) bool {
	return slices.ContainsFunc(verdicts, func(each verdict) bool { return each.Plugin == plugin && each.Code != "Success" })
}

// isOpen tells whether PreFilter lets the pod go there.
func (a *asking) isOpen(node string) bool {
	return !slices.ContainsFunc(a.PreFilter, func(each verdict) bool {
		return each.Code != "Success" && each.Code != "Skip" || each.Nodes != nil && !slices.Contains(*each.Nodes, node)
	})
}

// filter returns the nodes that all plugins take.
func (a *asking) filter() []fwk.NodeInfo {
	feasible := []fwk.NodeInfo{}
	for _, node := range a.nodes {
		by := []verdict{}
		for _, plugin := range a.plugins {
			point, ok := plugin.Plugin.(fwk.FilterPlugin)
			if !ok || has(a.PreFilter, plugin.Name()) {
				continue
			}
			if status := point.Filter(ctx, a.state, a.world.Pod, node); !status.IsSuccess() {
				by = append(by, said(plugin.Name(), status))
			}
		}
		name := node.Node().Name
		if len(by) > 0 {
			a.Refused = append(a.Refused, refused{name, by})
		} else if a.isOpen(name) {
			feasible = append(feasible, node)
		}
	}
	return feasible
}

func (a *asking) score(nodes []fwk.NodeInfo) {
	for _, node := range nodes {
		a.Feasible = append(a.Feasible, rated{Node: node.Node().Name, Scores: []score{}})
	}
	if len(nodes) == 0 {
		return
	}
	for _, plugin := range a.plugins {
		point, ok := plugin.Plugin.(fwk.PreScorePlugin)
		if !ok {
			continue
		}
		if status := point.PreScore(ctx, a.state, a.world.Pod, nodes); !status.IsSuccess() {
			a.PreScore = append(a.PreScore, said(plugin.Name(), status))
		}
	}
	for _, plugin := range a.plugins {
		if point, ok := plugin.Plugin.(fwk.ScorePlugin); ok && !has(a.PreScore, plugin.Name()) {
			a.scoreBy(point, plugin.weight, nodes)
		}
	}
	slices.SortStableFunc(a.Feasible, func(one, other rated) int { return cmp.Compare(other.Total, one.Total) })
}

func (a *asking) scoreBy(plugin fwk.ScorePlugin, weight int64, nodes []fwk.NodeInfo) {
	scores := fwk.NodeScoreList{}
	for i, node := range nodes {
		raw, status := plugin.Score(ctx, a.state, a.world.Pod, node)
		if !status.IsSuccess() {
			a.Failed = append(a.Failed, said(plugin.Name(), status))
			return
		}
		scores = append(scores, fwk.NodeScore{Name: node.Node().Name, Score: raw})
		a.Feasible[i].Scores = append(a.Feasible[i].Scores, score{Plugin: plugin.Name(), Raw: raw})
	}
	if extensions := plugin.ScoreExtensions(); extensions != nil {
		if status := extensions.NormalizeScore(ctx, a.state, a.world.Pod, scores); !status.IsSuccess() {
			a.Failed = append(a.Failed, said(plugin.Name(), status))
			return
		}
	}
	for i, each := range scores {
		own := a.Feasible[i].Scores
		own[len(own)-1].Score = each.Score
		a.Feasible[i].Total += each.Score * weight
	}
}

// reserve takes the devices on the best node.
func (a *asking) reserve() {
	if len(a.Feasible) == 0 {
		return
	}
	if status := a.framework.RunReservePluginsReserve(ctx, a.state, a.world.Pod, a.Feasible[0].Node); !status.IsSuccess() {
		a.Failed = append(a.Failed, said(status.Plugin(), status))
	}
}

// cycle is how the framework's own run ends, and what it says, as far as Filter.
func (a *asking) cycle() (result, message string) {
	state := framework.NewCycleState()
	diagnosis := framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}
	narrowed, status, plugins := a.framework.RunPreFilterPlugins(ctx, state, a.world.Pod)
	feasible := 0
	switch {
	case status.IsSuccess():
		if !narrowed.AllNodes() {
			diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable,
				fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(plugins))))
		}
		for _, node := range a.nodes {
			if !narrowed.AllNodes() && !narrowed.NodeNames.Has(node.Node().Name) {
				continue
			}
			status := a.framework.RunFilterPluginsWithNominatedPods(ctx, state, a.world.Pod, node)
			switch {
			case status.IsSuccess():
				feasible++
			case status.IsRejected():
				diagnosis.NodeToStatus.Set(node.Node().Name, status)
			default:
				return "error", status.AsError().Error()
			}
		}
	case status.IsRejected():
		diagnosis.PreFilterMsg = status.Message()
	default:
		return "error", status.AsError().Error()
	}
	if feasible > 0 {
		return "fits", ""
	}
	return "unschedulable", (&framework.FitError{Pod: a.world.Pod, NumAllNodes: len(a.nodes), Diagnosis: diagnosis}).Error()
}

// rejecters are the plugins that refuse the pod, or a node, with the nodes' words.
func (a *Answer) rejecters() (plugins []string, words []string) {
	note := func(each verdict) {
		if each.Code == "Success" || each.Code == "Skip" {
			return
		}
		plugins = append(plugins, each.Plugin)
		for _, reason := range each.Reasons {
			words = append(words, each.Plugin+": "+unnamed(reason))
		}
	}
	for _, each := range a.PreFilter {
		note(each)
	}
	for _, node := range a.Refused {
		for _, each := range node.By {
			note(each)
		}
	}
	slices.Sort(plugins)
	slices.Sort(words)
	return slices.Compact(plugins), slices.Compact(words)
}

// unnamed is a reason as far as it names nothing of this world.
func unnamed(reason string) string {
	if at := strings.IndexAny(reason, "0123456789\"/"); at >= 0 {
		return reason[:at]
	}
	return reason
}

var errNothing = errors.New("there is nothing to ask")

// deciders are the plugins whose scores tell nodes apart.
func (a *Answer) deciders() []string {
	plugins := []string{}
	for i := range a.Feasible {
		for j, each := range a.Feasible[i].Scores {
			if first := a.Feasible[0].Scores; j < len(first) && each.Score != first[j].Score {
				plugins = append(plugins, each.Plugin)
			}
		}
	}
	slices.Sort(plugins)
	return slices.Compact(plugins)
}
