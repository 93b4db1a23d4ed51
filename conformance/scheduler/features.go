package scheduler

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
)

const (
	givenDevices     = "devices for a claim"
	givenTemplate    = "devices for a claim of a template"
	givenAlternative = "devices of an alternative"
	givenSecond      = "devices of an alternative that is not the first"
	givenToSeveral   = "a claim of several pods"
	givenAdmin       = "devices by admin access"
	givenShare       = "a part of a device"
	givenConfig      = "configuration"
	givenPlace       = "devices that tie a claim to nodes"
	givenExtended    = "devices for an extended resource"
	givenRoom        = "devices that take cpu or memory"
	givenLater       = "devices that had to be ready first"
	givenToNobody    = "a claim without devices that had some"
)

// given are those that some world must show.
var given = []string{givenDevices, givenTemplate, givenAlternative, givenSecond, givenToSeveral, givenAdmin, givenShare, givenConfig, givenPlace,
	givenExtended, givenRoom, givenLater, givenToNobody}

// notice looks for what claims and pods were given.
func (c *counts) notice(at *scene) {
	for _, each := range at.objects() {
		if claim, ok := each.Object.(*resourcev1.ResourceClaim); ok {
			c.noticeClaim(claim)
		}
	}
	for _, each := range at.pods() {
		c.noticePod(each)
	}
}

func (c *counts) noticeClaim(claim *resourcev1.ResourceClaim) {
	name := claim.Namespace + "/" + claim.Name
	allocation := claim.Status.Allocation
	if allocation == nil {
		c.see(givenToNobody, c.held[name])
		return
	}
	c.held[name] = true
	c.see(givenDevices, true)
	c.see(givenTemplate, len(claim.OwnerReferences) > 0)
	c.see(givenToSeveral, len(claim.Status.ReservedFor) > 1)
	c.see(givenConfig, len(allocation.Devices.Config) > 0)
	c.see(givenPlace, allocation.NodeSelector != nil)
	for _, each := range allocation.Devices.Results {
		_, alternative, found := strings.Cut(each.Request, "/")
		c.see(givenAlternative, found)
		c.see(givenSecond, found && alternative != "a0")
		c.see(givenAdmin, each.AdminAccess != nil && *each.AdminAccess)
		c.see(givenShare, each.ShareID != nil)
		c.see(givenLater, len(each.BindingConditions) > 0)
	}
}

func (c *counts) noticePod(pod *corev1.Pod) {
	if pod.Spec.NodeName != "" {
		c.see(givenExtended, pod.Status.ExtendedResourceClaimStatus != nil)
		c.see(givenRoom, len(pod.Status.NodeAllocatableResourceClaimStatuses) > 0)
	}
}

func (c *counts) see(feature string, seen bool) {
	if seen {
		c.features[feature] = true
	}
}
