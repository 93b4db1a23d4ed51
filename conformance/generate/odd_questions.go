package generate

import (
	"encoding/json"
	"strings"
)

// oddLines are questions whose envelope is wrong, or just unusual. CLASS stands for a good object.
var oddLines = strings.Split(strings.TrimSpace(`
nonsense
[]
{}
{"operation":"create"}
{"operation":"create","object":null}
{"operation":"create","object":[]}
{"operation":"create","object":"x"}
{"operation":"create","object":{}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"}}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceFoo","metadata":{"name":"a"}}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceTaintRule","metadata":{"name":"a"}}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourcePoolStatusRequest","metadata":{"name":"a"}}}
{"operation":"create","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}}
{"operation":"create","object":{"kind":"ResourceClaim","metadata":{"name":"a"}}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","metadata":{"name":"a"}}}
{"operation":"create","object":{"apiVersion":"a/b/c","kind":"X"}}
{"operation":"create","object":{"apiVersion":5,"kind":"X"}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClassList","items":[]}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a","name":"b"}}}
{"operation":"create","object":{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":null}}
{"operation":"create","object":CLASS} trailing
{"operation":"create","object":CLASS,"old":{"garbage":1}}
{"operation":"create","object":CLASS,"featureGates":{"DRADeviceTaints":"false"}}
{"operation":"create","object":CLASS,"featureGates":{"DynamicResourceAllocation":false}}
{"operation":"create","object":CLASS,"featureGates":{"DRAWorkloadResourceClaims":true}}
{"operation":"create","object":CLASS,"featureGates":{"GenericWorkload":true,"DRAWorkloadResourceClaims":true}}
{"operation":"create","object":CLASS,"featureGates":{"AllAlpha":true,"GenericWorkload":true,"WindowsHostNetwork":true}}
{"operation":"create","object":CLASS,"featureGates":{"AllAlpha":true,"GenericWorkload":true,"TopologyAwareWorkloadScheduling":false}}
{"operation":"create","object":CLASS,"featureGates":{"AllAlpha":true}}
{"operation":"create","object":CLASS,"featureGates":null,"namespaceLabels":null,"extra":1}
{"operation":"create","object":CLASS,"namespaceLabels":{"a":1}}
{"operation":"delete","object":CLASS}
{"object":CLASS}
{"operation":"update","object":CLASS}
{"operation":"update","object":CLASS,"old":null}
{"operation":"update","object":CLASS,"old":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"a"}}}
{"operation":"update","object":CLASS,"old":{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass","metadata":{"name":"a"},"zzz":1,"spec":{},"spec":{}}}
{"operation":"update","object":CLASS,"old":{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass","metadata":{"name":5}}}
{"operation":"status","object":CLASS,"old":CLASS}
`), "\n")

// OddQuestion is one of these lines.
func (s *Source) OddQuestion() json.RawMessage {
	class := `{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}`
	return json.RawMessage(strings.ReplaceAll(Pick(s, oddLines...), "CLASS", class))
}
