package scheduler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"quadra/conformance/mirror"
)

const (
	// pause is how long to wait before looking again.
	pause = 10 * time.Millisecond
	// undecided is for how long nothing may have happened where a pod waits that nobody has decided on; unready is it where it may be
	// devices that it waits for: kube-scheduler looks every 5 s whether they are ready.
	undecided = 1500 * time.Millisecond
	unready   = 7 * time.Second
	// patience is how long a side may take to come to rest.
	patience = 20 * time.Second
)

// scene is one world on one side.
type scene struct {
	*side
	world *world
	rest  time.Duration // for how long nothing may have changed
	story story
	why   []string // see outcome
}

// story is what came of a world, after each event.
type story struct {
	outcomes []outcome
	counts   counts
}

// play makes the world, has everything happen, and takes the world away again.
func (s *side) play(ctx context.Context, w *world, rest time.Duration) (*story, error) {
	at := &scene{side: s, world: w, rest: rest, story: story{counts: newCounts()}}
	for _, each := range w.setup {
		if err := each.do(ctx, at); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.name, each.what, err)
		}
	}
	time.Sleep(rest / 2) // until all have heard of the nodes
	for _, each := range w.events {
		at.tell(each.what)
		said := answer(each.do(ctx, at))
		at.tell(said)
		if err := at.settle(ctx); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.name, each.what, err)
		}
		seen, err := at.look()
		if err != nil {
			return nil, err
		}
		seen.said = w.plain(said)
		at.story.outcomes = append(at.story.outcomes, seen)
		at.story.counts.add(at)
	}
	return &at.story, at.leave(ctx)
}

// tell prints what happens, of a world that is played alone.
func (s *scene) tell(what string) {
	if *alone >= 0 {
		fmt.Fprintf(os.Stderr, "%s %-8s %s\n", time.Now().Format("15:04:05.000"), s.name, what)
	}
}

func answer(err error) string {
	if err == nil {
		return "done"
	}
	return mirror.NormalText(err.Error())
}

// settle waits until nothing has changed for a while.
func (s *scene) settle(ctx context.Context) error {
	seen, since := "", time.Now()
	for deadline := since.Add(patience); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(pause) {
		now := s.marks()
		if now != seen {
			seen, since = now, time.Now()
		}
		if quiet := time.Since(since); quiet >= s.longestQuiet() || quiet >= s.rest && s.allDecided() {
			return nil
		}
	}
	return errors.New("it does not come to rest")
}

func (s *scene) longestQuiet() time.Duration {
	for _, each := range s.objects() {
		if claim, is := each.Object.(*resourcev1.ResourceClaim); is && awaitsDevices(claim) {
			return unready
		}
	}
	return undecided
}

// awaitsDevices tells whether it has devices that have to be ready before a pod uses them.
func awaitsDevices(claim *resourcev1.ResourceClaim) bool {
	return claim.Status.Allocation != nil && slices.ContainsFunc(claim.Status.Allocation.Devices.Results, func(each resourcev1.DeviceRequestAllocationResult) bool {
		return len(each.BindingConditions) > 0
	})
}

func (s *scene) objects() (all []mirror.Entry) {
	for _, each := range s.world.Namespaces {
		all = append(all, s.mirror.Of(each)...)
	}
	return all
}

// told is what was told of pods.
func (s *scene) told() (all []string) {
	for _, each := range s.world.Namespaces {
		all = append(all, s.mirror.ToldIn(each)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// marks change whenever anything does.
func (s *scene) marks() string {
	all := s.told()
	for _, each := range s.objects() {
		all = append(all, each.Mark())
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func (s *scene) pods() (all []*corev1.Pod) {
	for _, each := range s.world.Namespaces {
		all = append(all, s.mirror.Pods(each)...)
	}
	return all
}

func (s *scene) allDecided() bool {
	return !slices.ContainsFunc(s.pods(), func(each *corev1.Pod) bool { return !isDecided(each) })
}

// isDecided tells whether it has a node, or was told why not: for no error, after which it is tried again, and with no node promised.
func isDecided(pod *corev1.Pod) bool {
	why := refusal(pod)
	return pod.Spec.NodeName != "" || why != nil && why.Reason != corev1.PodReasonSchedulerError && pod.Status.NominatedNodeName == ""
}

// refusal is nil where it was told nothing.
func refusal(pod *corev1.Pod) *corev1.PodCondition {
	at := slices.IndexFunc(pod.Status.Conditions, func(each corev1.PodCondition) bool {
		return each.Type == corev1.PodScheduled && each.Status == corev1.ConditionFalse
	})
	if at < 0 {
		return nil
	}
	return &pod.Status.Conditions[at]
}

// leave takes away all that the world has made but its namespaces: pods first, so that nobody is scheduled any more.
func (s *scene) leave(ctx context.Context) error {
	everything := metav1.ListOptions{}
	now := metav1.DeleteOptions{GracePeriodSeconds: pointer(int64(0))}
	for _, space := range s.world.Namespaces {
		if err := s.client.CoreV1().Pods(space).DeleteCollection(ctx, now, everything); err != nil {
			return err
		}
	}
	for _, space := range s.world.Namespaces {
		err := errors.Join(s.client.ResourceV1().ResourceClaims(space).DeleteCollection(ctx, now, everything),
			s.client.ResourceV1().ResourceClaimTemplates(space).DeleteCollection(ctx, now, everything),
			s.client.PolicyV1().PodDisruptionBudgets(space).DeleteCollection(ctx, now, everything))
		if err != nil {
			return err
		}
	}
	if err := leaveCluster(ctx, s.client); err != nil {
		return err
	}
	if err := s.awaitEmpty(ctx, func() bool { return len(s.objects()) == 0 }); err != nil {
		return err
	}
	for _, space := range s.world.Namespaces {
		if err := s.client.EventsV1().Events(space).DeleteCollection(ctx, now, everything); err != nil {
			return err
		}
	}
	return s.awaitEmpty(ctx, func() bool { return len(s.told()) == 0 })
}

// leaveCluster deletes what is in no namespace: no other world is played at the same time.
func leaveCluster(ctx context.Context, client kubernetes.Interface) error {
	everything, now := metav1.ListOptions{}, metav1.DeleteOptions{}
	return errors.Join(client.CoreV1().Nodes().DeleteCollection(ctx, now, everything),
		client.ResourceV1().ResourceSlices().DeleteCollection(ctx, now, everything),
		client.ResourceV1().DeviceTaintRules().DeleteCollection(ctx, now, everything),
		client.ResourceV1().DeviceClasses().DeleteCollection(ctx, now, everything))
}

func (s *scene) awaitEmpty(ctx context.Context, isEmpty func() bool) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(pause) {
		if isEmpty() {
			return nil
		}
	}
	return fmt.Errorf("%s: the world does not go: %s", s.name, s.marks())
}
