package schedule

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/imagelocality"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodedeclaredfeatures"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/schedulinggates"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// registered are the plugins of upstream that are compared. Those for volumes are not: quadra binds none.
func registered() runtime.Registry {
	gates := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	return runtime.Registry{
		defaultbinder.Name:                   defaultbinder.New,
		dynamicresources.Name:                runtime.FactoryAdapter(gates, dynamicresources.New),
		imagelocality.Name:                   imagelocality.New,
		interpodaffinity.Name:                runtime.FactoryAdapter(gates, interpodaffinity.New),
		nodeaffinity.Name:                    runtime.FactoryAdapter(gates, nodeaffinity.New),
		nodedeclaredfeatures.Name:            runtime.FactoryAdapter(gates, nodedeclaredfeatures.New),
		nodename.Name:                        runtime.FactoryAdapter(gates, nodename.New),
		nodeports.Name:                       runtime.FactoryAdapter(gates, nodeports.New),
		noderesources.BalancedAllocationName: runtime.FactoryAdapter(gates, noderesources.NewBalancedAllocation),
		noderesources.Name:                   runtime.FactoryAdapter(gates, noderesources.NewFit),
		nodeunschedulable.Name:               runtime.FactoryAdapter(gates, nodeunschedulable.New),
		podtopologyspread.Name:               runtime.FactoryAdapter(gates, podtopologyspread.New),
		queuesort.Name:                       queuesort.New,
		schedulinggates.Name:                 runtime.FactoryAdapter(gates, schedulinggates.New),
		tainttoleration.Name:                 runtime.FactoryAdapter(gates, tainttoleration.New),
	}
}
