package forms

import "slices"

// made is one object of the world: its collection, and behind its own address its subresources.
type made struct {
	collection, name string
	parts            []string
	body             string
}

var alone = []string{"", "?resourceVersion=0", "?includeObject=Object"}
var withStatus = slices.Concat(alone, []string{"/status"})
var withScale = slices.Concat(withStatus, []string{"/scale"})

var world = []made{
	{"/api/v1/namespaces", "team", withStatus, `{"metadata":{"name":"team","labels":{"l":"v"}}}`},
	{"/api/v1/namespaces/team/serviceaccounts", "default", alone, `{"metadata":{"name":"default"},"secrets":[{"name":"s"}]}`},
	{"/api/v1/namespaces/team/configmaps", "map", alone, `{"metadata":{"name":"map","labels":{"a":"b"}},"data":{"k":"v"},"binaryData":{"b":"AAEC"}}`},
	{"/api/v1/namespaces/team/secrets", "secret", alone, `{"metadata":{"name":"secret"},"stringData":{"k":"v"}}`},
	{"/api/v1/namespaces/team/pods", "web", slices.Concat(withStatus, []string{"/ephemeralcontainers"}),
		`{"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"nginx:1","resources":{"limits":{"cpu":"1.5","memory":"1Gi"}},"ports":[{"containerPort":80}],"env":[{"name":"E","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],"livenessProbe":{"httpGet":{"path":"/","port":80}}}],"initContainers":[{"name":"i","image":"busybox","restartPolicy":"Always"}],"volumes":[{"name":"v","configMap":{"name":"map"}},{"name":"h","hostPath":{"path":"/"}}],"resourceClaims":[{"name":"r","resourceClaimTemplateName":"template"}],"tolerations":[{"key":"a","operator":"Exists"}]}}`},
	{"/api/v1/namespaces/team/services", "headless", alone, `{"metadata":{"name":"headless"},"spec":{"clusterIP":"None","selector":{"a":"b"},"ports":[{"port":80}]}}`},
	{"/api/v1/namespaces/team/events", "happening", alone, `{"metadata":{"name":"happening"},"involvedObject":{"kind":"Pod","namespace":"team","name":"web"},"reason":"R","message":"m","type":"Normal","source":{"component":"c"},"count":3,"firstTimestamp":"2026-01-02T03:04:05Z","lastTimestamp":"2026-01-02T03:04:06Z"}`},
	{"/apis/events.k8s.io/v1/namespaces/team/events", "event", alone, `{"metadata":{"name":"event"},"regarding":{"kind":"Node","name":"node-1","namespace":"team"},"eventTime":"2026-01-02T03:04:05.000000Z","reportingController":"a.b/c","reportingInstance":"i","action":"A","reason":"R","type":"Normal","note":"n"}`},
	{"/api/v1/nodes", "node-1", withStatus, `{"metadata":{"name":"node-1","labels":{"node-role.kubernetes.io/worker":""}},"spec":{"podCIDR":"10.1.0.0/24","taints":[{"key":"k","effect":"NoSchedule"}]}}`},
	{"/api/v1/namespaces/team/persistentvolumeclaims", "disk", withStatus, `{"metadata":{"name":"disk"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`},
	{"/apis/resource.k8s.io/v1/namespaces/team/resourceclaims", "claim", withStatus,
		`{"metadata":{"name":"claim"},"spec":{"devices":{"requests":[{"name":"one","exactly":{"deviceClassName":"class","selectors":[{"cel":{"expression":"true"}}],"count":2}},{"name":"two","firstAvailable":[{"name":"a","deviceClassName":"class"}]}],"constraints":[{"matchAttribute":"a.b/c"}],"config":[{"opaque":{"driver":"d.example.com","parameters":{"z":1,"a":[1.5,null]}}}]}}}`},
	{"/apis/resource.k8s.io/v1beta1/namespaces/team/resourceclaims", "old", withStatus, `{"metadata":{"name":"old"},"spec":{"devices":{"requests":[{"name":"one","deviceClassName":"class"}]}}}`},
	{"/apis/resource.k8s.io/v1beta2/namespaces/team/resourceclaims", "older", withStatus, `{"metadata":{"name":"older"},"spec":{"devices":{"requests":[{"name":"one","exactly":{"deviceClassName":"class"}}]}}}`},
	{"/apis/resource.k8s.io/v1/namespaces/team/resourceclaimtemplates", "template", alone, `{"metadata":{"name":"template"},"spec":{"metadata":{"labels":{"l":"v"}},"spec":{"devices":{"requests":[{"name":"one","exactly":{"deviceClassName":"class"}}]}}}}`},
	{"/apis/resource.k8s.io/v1/deviceclasses", "class", alone, `{"metadata":{"name":"class"},"spec":{"selectors":[{"cel":{"expression":"device.driver == \"d.example.com\""}}],"extendedResourceName":"example.com/gpu"}}`},
	{"/apis/resource.k8s.io/v1/resourceslices", "slice", alone,
		`{"metadata":{"name":"slice"},"spec":{"driver":"d.example.com","nodeName":"node-1","pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[{"name":"d","attributes":{"a":{"string":"s"},"b":{"int":1},"c":{"version":"1.2.3"},"d":{"bool":true}},"capacity":{"memory":{"value":"40Gi"}},"taints":[{"key":"k","effect":"NoSchedule"}]}]}}`},
	{"/apis/resource.k8s.io/v1beta1/resourceslices", "old", alone, `{"metadata":{"name":"old"},"spec":{"driver":"d.example.com","allNodes":true,"pool":{"name":"q","generation":1,"resourceSliceCount":1},"devices":[{"name":"d","basic":{"attributes":{"a":{"string":"s"}}}}]}}`},
	{"/apis/coordination.k8s.io/v1/namespaces/team/leases", "lease", alone, `{"metadata":{"name":"lease"},"spec":{"holderIdentity":"me","renewTime":"2026-01-02T03:04:05.000006Z"}}`},
	{"/apis/apps/v1/namespaces/team/deployments", "web", withScale,
		`{"metadata":{"name":"web"},"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`},
	{"/apis/apps/v1/namespaces/team/replicasets", "set", withScale,
		`{"metadata":{"name":"set"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`},
	{"/apis/apps/v1/namespaces/team/statefulsets", "state", withScale,
		`{"metadata":{"name":"state"},"spec":{"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`},
	{"/apis/apps/v1/namespaces/team/daemonsets", "daemon", withStatus,
		`{"metadata":{"name":"daemon"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`},
	{"/apis/batch/v1/namespaces/team/jobs", "job", withStatus, `{"metadata":{"name":"job"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`},
	{"/apis/batch/v1/namespaces/team/cronjobs", "cron", withStatus, `{"metadata":{"name":"cron"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}}`},
	{"/apis/scheduling.k8s.io/v1/priorityclasses", "high", alone, `{"metadata":{"name":"high"},"value":1000}`},
	{"/apis/rbac.authorization.k8s.io/v1/namespaces/team/roles", "role", alone, `{"metadata":{"name":"role"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}`},
	{"/apis/storage.k8s.io/v1/storageclasses", "fast", alone, `{"metadata":{"name":"fast"},"provisioner":"p.example.com"}`},
	{"/api/v1/persistentvolumes", "volume", withStatus, `{"metadata":{"name":"volume"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/tmp"}}}`},
	{"/api/v1/namespaces/team/podtemplates", "pattern", alone, `{"metadata":{"name":"pattern"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}`},
	{"/api/v1/namespaces/team/replicationcontrollers", "rc", withScale, `{"metadata":{"name":"rc"},"spec":{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`},
	{"/api/v1/namespaces/team/resourcequotas", "quota", withStatus, `{"metadata":{"name":"quota"},"spec":{"hard":{"pods":"10"}}}`},
	{"/api/v1/namespaces/team/limitranges", "limits", alone, `{"metadata":{"name":"limits"},"spec":{"limits":[{"type":"Container","max":{"cpu":"2"},"default":{"memory":"1Gi"}}]}}`},
	{"/api/v1/namespaces/team/endpoints", "ends", alone, `{"metadata":{"name":"ends"},"subsets":[{"addresses":[{"ip":"10.1.1.1"}],"ports":[{"port":80}]}]}`},
	{"/apis/apps/v1/namespaces/team/controllerrevisions", "revision", alone, `{"metadata":{"name":"revision"},"data":{"a":1},"revision":2}`},
	{"/apis/rbac.authorization.k8s.io/v1/namespaces/team/rolebindings", "roles", alone, `{"metadata":{"name":"roles"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"role"},"subjects":[{"kind":"ServiceAccount","name":"default","namespace":"team"}]}`},
	{"/apis/storage.k8s.io/v1/csidrivers", "d.example.com", alone, `{"metadata":{"name":"d.example.com"},"spec":{}}`},
	{"/apis/storage.k8s.io/v1/csinodes", "node-1", alone, `{"metadata":{"name":"node-1"},"spec":{"drivers":[{"name":"d.example.com","nodeID":"n"}]}}`},
	{"/apis/storage.k8s.io/v1/volumeattachments", "attached", withStatus, `{"metadata":{"name":"attached"},"spec":{"attacher":"d.example.com","nodeName":"node-1","source":{"persistentVolumeName":"volume"}}}`},
	{"/apis/storage.k8s.io/v1/volumeattributesclasses", "gold", alone, `{"metadata":{"name":"gold"},"driverName":"d.example.com","parameters":{"a":"b"}}`},
	{"/apis/storage.k8s.io/v1/namespaces/team/csistoragecapacities", "room", alone, `{"metadata":{"name":"room"},"storageClassName":"fast","capacity":"1Gi"}`},
	{"/apis/resource.k8s.io/v1/devicetaintrules", "rule", withStatus, `{"metadata":{"name":"rule"},"spec":{"deviceSelector":{"driver":"d.example.com"},"taint":{"key":"k","effect":"NoSchedule","timeAdded":"2026-01-02T03:04:05Z"}}}`},
	{"/apis/policy/v1/namespaces/team/poddisruptionbudgets", "budget", withStatus, `{"metadata":{"name":"budget"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"a":"b"}}}}`},
}

// changes are made of the world one after the other.
var changes = []struct{ target, patch string }{
	{"/apis/apps/v1/namespaces/team/deployments/web", `{"spec":{"replicas":5}}`},
	{"/apis/apps/v1/namespaces/team/deployments/web", `{"spec":{"replicas":5}}`},
	{"/apis/apps/v1/namespaces/team/deployments/web/scale", `{"spec":{"replicas":7}}`},
	{"/apis/apps/v1/namespaces/team/deployments/web/status", `{"status":{"replicas":2,"observedGeneration":1},"spec":{"replicas":1}}`},
	{"/apis/apps/v1/namespaces/team/daemonsets/daemon", `{"spec":{"minReadySeconds":5}}`},
	{"/apis/apps/v1/namespaces/team/daemonsets/daemon", `{"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}}`},
	{"/apis/apps/v1/namespaces/team/daemonsets/daemon", `{"metadata":{"annotations":{"deprecated.daemonset.template.generation":"9"}}}`},
	{"/apis/apps/v1/namespaces/team/statefulsets/state", `{"spec":{"replicas":0}}`},
	{"/apis/apps/v1/namespaces/team/replicasets/set/scale", `{"spec":{"replicas":0}}`},
	{"/apis/batch/v1/namespaces/team/jobs/job", `{"spec":{"suspend":true}}`},
	{"/apis/batch/v1/namespaces/team/jobs/job/status", `{"status":{"active":1}}`},
	{"/apis/batch/v1/namespaces/team/cronjobs/cron", `{"spec":{"suspend":true}}`},
	{"/apis/policy/v1/namespaces/team/poddisruptionbudgets/budget", `{"spec":{"minAvailable":2}}`},
	{"/api/v1/namespaces/team/podtemplates/pattern", `{"template":{"spec":{"nodeSelector":{"a":"b"}}}}`},
	{"/api/v1/namespaces/team/replicationcontrollers/rc", `{"spec":{"replicas":4}}`},
	{"/api/v1/namespaces/team/secrets/secret", `{"stringData":{"k":"w","l":"m"}}`},
	{"/api/v1/namespaces/team/configmaps/map", `{"data":{"k":null,"m":"n"}}`},
	{"/api/v1/namespaces/team/pods/web", `{"spec":{"activeDeadlineSeconds":100}}`},
	{"/api/v1/namespaces/team/pods/web/status", `{"status":{"phase":"Running","podIP":"10.1.2.3","conditions":[{"type":"Ready","status":"True"}]}}`},
	{"/api/v1/nodes/node-1", `{"spec":{"unschedulable":true}}`},
	{"/api/v1/nodes/node-1/status", `{"status":{"capacity":{"cpu":"4"}}}`},
	{"/api/v1/namespaces/team/services/headless", `{"spec":{"selector":{"c":"d"}}}`},
	{"/api/v1/namespaces/team/persistentvolumeclaims/disk/status", `{"status":{"phase":"Bound"}}`},
	{"/apis/resource.k8s.io/v1/namespaces/team/resourceclaims/claim", `{"metadata":{"annotations":{"a":"b"}}}`},
	{"/apis/resource.k8s.io/v1/namespaces/team/resourceclaims/claim/status", `{"status":{"reservedFor":[]}}`},
	{"/apis/resource.k8s.io/v1beta1/resourceslices/slice", `{"spec":{"pool":{"generation":2}}}`},
	{"/apis/resource.k8s.io/v1/deviceclasses/class", `{"spec":{"extendedResourceName":"example.com/card"}}`},
	{"/apis/resource.k8s.io/v1/devicetaintrules/rule", `{"spec":{"taint":{"value":"v"}}}`},
	{"/apis/coordination.k8s.io/v1/namespaces/team/leases/lease", `{"spec":{"leaseTransitions":3}}`},
	{"/apis/events.k8s.io/v1/namespaces/team/events/event", `{"series":{"count":2,"lastObservedTime":"2026-01-02T03:04:06.000000Z"}}`},
	{"/apis/storage.k8s.io/v1/storageclasses/fast", `{"allowVolumeExpansion":true}`},
	{"/apis/rbac.authorization.k8s.io/v1/namespaces/team/roles/role", `{"rules":[]}`},
}
