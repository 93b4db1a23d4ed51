package clientgo

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// elect has two candidates: the second leads once the first has given the lease back.
func elect(ctx context.Context, s *side) error {
	client := s.typed(asProtobuf, nil)
	leading := make(chan string, 2)
	firstTerm, resign := context.WithCancel(ctx)
	defer resign()
	first, err := s.candidate("first", client, leading)
	if err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		first.Run(firstTerm)
	}()
	s.note("%s leads", <-leading)
	secondTerm, end := context.WithCancel(ctx)
	defer end()
	second, err := s.candidate("second", client, leading)
	if err != nil {
		return err
	}
	go second.Run(secondTerm)
	if err := await(ctx, "the second to see the first", func() (bool, error) { return second.GetLeader() == "first", nil }); err != nil {
		return err
	}
	s.note("the second leads as well: %t", second.IsLeader())
	if err := s.showLease(ctx, client, "held by the first"); err != nil {
		return err
	}
	resign()
	<-ended
	s.note("%s leads", <-leading)
	return s.showLease(ctx, client, "held by the second")
}

func (s *side) candidate(name string, client kubernetes.Interface, leading chan<- string) (*leaderelection.LeaderElector, error) {
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, s.namespace, "lead", client.CoreV1(), client.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: name})
	if err != nil {
		return nil, err
	}
	return leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 10 * time.Second, RenewDeadline: 5 * time.Second, RetryPeriod: 50 * time.Millisecond, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { leading <- name }, OnStoppedLeading: func() {}},
	})
}

func (s *side) showLease(ctx context.Context, client kubernetes.Interface, what string) error {
	lease, err := client.CoordinationV1().Leases(s.namespace).Get(ctx, "lead", metav1.GetOptions{})
	if err == nil {
		s.show(what, lease)
	}
	return err
}
