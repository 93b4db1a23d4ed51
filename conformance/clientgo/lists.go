package clientgo

import (
	"context"
	"encoding/base64"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

// pages lists in pages while others write: what the first page promised comes, no more and no less.
func pages(ctx context.Context, s *side) error {
	if err := s.makeMaps(ctx, 25); err != nil {
		return err
	}
	requests := &log{}
	client := s.typed(asProtobuf, requests.wrap).CoreV1().ConfigMaps(s.namespace)
	page := 0
	list := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page++
		if page == 2 {
			if err := s.remove(ctx, configMaps, "map-24"); err != nil {
				return nil, err
			}
			if err := s.make(ctx, configMaps, "map-11x", nil); err != nil {
				return nil, err
			}
		}
		list, err := client.List(ctx, options)
		if err == nil {
			s.note("page of %d, %v remain", len(list.Items), known(list.RemainingItemCount))
		}
		return list, err
	})
	list.PageSize = 10
	err := list.EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		s.note("item %s", nameOf(object))
		return nil
	})
	requests.noteFor(s, "configmaps")
	return err
}

func known(count *int64) string {
	if count == nil {
		return "unknown"
	}
	return fmt.Sprint(*count)
}

// pagesThatExpire goes on from a token whose state is gone: the refusal has a token to go on with, and the pager lists anew.
func pagesThatExpire(ctx context.Context, s *side) error {
	if err := s.makeMaps(ctx, 7); err != nil {
		return err
	}
	client := s.typed(asProtobuf, nil).CoreV1().ConfigMaps(s.namespace)
	expired := base64.RawURLEncoding.EncodeToString([]byte(`{"v":"meta.k8s.io/v1","rv":1,"start":"map-02\u0000"}`))
	_, err := client.List(ctx, metav1.ListOptions{Limit: 3, Continue: expired})
	s.refused("a token that expired", err)
	token := ""
	if status, ok := err.(apierrors.APIStatus); ok {
		token = status.Status().Continue
	}
	for token != "" {
		list, err := client.List(ctx, metav1.ListOptions{Limit: 3, Continue: token})
		if err != nil {
			return err
		}
		for _, each := range list.Items {
			s.note("inconsistently %s", each.Name)
		}
		token = list.Continue
	}
	first := true
	list := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		if options.Continue != "" && first {
			options.Continue, first = expired, false
		}
		return client.List(ctx, options)
	})
	list.PageSize = 3
	whole, paged, err := list.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	s.show(fmt.Sprintf("listed anew, in pages %t", paged), whole)
	return nil
}
