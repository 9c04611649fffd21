// Package store reads the state of an installed store from its Kubernetes objects. It is pure.
package store

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Objects holds the objects of an installation, as read from the API.
type Objects struct {
	StatefulSets []appsv1.StatefulSet
	Deployments  []appsv1.Deployment
	DaemonSets   []appsv1.DaemonSet
	Pods         []corev1.Pod
	Services     []corev1.Service
	Slices       []discoveryv1.EndpointSlice
	Claims       []corev1.PersistentVolumeClaim
}

// Readiness is the readiness of a store.
type Readiness struct {
	// Waiting describes what is missing; empty if the store is ready on all its nodes.
	Waiting string
	// Endpoints, host:port sorted, of the servers.
	Endpoints map[Server][]string
}

// Server is a server by its release and the name that the release has for it.
type Server struct{ Release, Name string }

// Ready reports whether the store is ready on all its nodes.
func (r Readiness) Ready() bool { return r.Waiting == "" }

// Ports returns the distinct ports of a server's endpoints.
func (r Readiness) Ports(server Server) []int32 {
	var ports []int32
	for _, endpoint := range r.Endpoints[server] {
		_, text, err := net.SplitHostPort(endpoint)
		if err != nil {
			continue
		}
		port, err := strconv.ParseInt(text, 10, 32)
		if err == nil && !slices.Contains(ports, int32(port)) {
			ports = append(ports, int32(port))
		}
	}
	return ports
}

// Nodes returns the number of nodes of an installation: the store pods of its manifests, independent of later scaling. A DaemonSet has one for
// each node that it is scheduled on.
func Nodes(workloads []storechart.Workload, objects Objects) int {
	nodes := 0
	for _, workload := range workloads {
		nodes += int(workload.StorePods)
		if workload.Kind == "DaemonSet" && workload.Store {
			i := slices.IndexFunc(objects.DaemonSets, func(o appsv1.DaemonSet) bool { return o.Name == workload.Name })
			if i >= 0 {
				nodes += int(objects.DaemonSets[i].Status.DesiredNumberScheduled)
			}
		}
	}
	return nodes
}

// Ready returns the readiness of a store: every workload of its releases is ready, all requested nodes exist, and the Service of every
// server has a ready endpoint for each store pod of its release. It checks workloads before endpoints. Workloads that the API does not show yet
// are missing.
func Ready(wanted []storechart.Workload, objects Objects, nodes int, servers []Server) Readiness {
	if missing := Missing(wanted, objects); missing != "" {
		return Readiness{Waiting: missing + " to be created"}
	}
	if waiting := unreadyWorkload(objects); waiting != "" {
		return Readiness{Waiting: waiting}
	}
	storePods := Pods(objects.Pods)
	if len(storePods) == 0 {
		return Readiness{Waiting: "store pods to be created"}
	}
	if ready := ReadyPods(Lives(storePods)); ready < nodes {
		return Readiness{Waiting: fmt.Sprintf("all requested store pods (%d of %d ready)", ready, nodes)}
	}
	readiness := Readiness{Endpoints: map[Server][]string{}}
	for _, server := range servers {
		found := endpoints(objects, server)
		if all := len(PodsOf(storePods, server.Release)); len(found) < all || all == 0 {
			return Readiness{Waiting: fmt.Sprintf("server %s to answer on all nodes (%d of %d)", server.Name, len(found), all)}
		}
		readiness.Endpoints[server] = found
	}
	return readiness
}

// Missing returns the kind and name of a workload that does not exist; empty if all do.
func Missing(wanted []storechart.Workload, objects Objects) string {
	for _, workload := range wanted {
		if !has(objects, workload) {
			return fmt.Sprintf("%s %s", workload.Kind, workload.Name)
		}
	}
	return ""
}

// Pods returns the pods of the store, sorted by name.
func Pods(pods []corev1.Pod) []corev1.Pod {
	var out []corev1.Pod
	for _, pod := range pods {
		if pod.Labels[v1beta1.LabelComponent] == v1beta1.StoreComponent {
			out = append(out, pod)
		}
	}
	slices.SortFunc(out, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// PodsOf returns the store pods of a release, sorted by name.
func PodsOf(pods []corev1.Pod, release string) []corev1.Pod {
	return slices.DeleteFunc(Pods(pods), func(pod corev1.Pod) bool { return pod.Labels[v1beta1.LabelInstance] != release })
}

// ClaimsOf returns the volume claims of a release.
func ClaimsOf(claims []corev1.PersistentVolumeClaim, release string) []corev1.PersistentVolumeClaim {
	return slices.DeleteFunc(slices.Clone(claims), func(claim corev1.PersistentVolumeClaim) bool { return claim.Labels[v1beta1.LabelInstance] != release })
}

func has(objects Objects, workload storechart.Workload) bool {
	switch workload.Kind {
	case "StatefulSet":
		return slices.ContainsFunc(objects.StatefulSets, func(o appsv1.StatefulSet) bool { return o.Name == workload.Name })
	case "Deployment":
		return slices.ContainsFunc(objects.Deployments, func(o appsv1.Deployment) bool { return o.Name == workload.Name })
	case "DaemonSet":
		return slices.ContainsFunc(objects.DaemonSets, func(o appsv1.DaemonSet) bool { return o.Name == workload.Name })
	}
	return true
}

// unreadyWorkload describes a workload that is not ready; empty if all are. Of several StatefulSets it is the first by name, because the cache
// lists them in any order, and a text that changes is a write.
func unreadyWorkload(objects Objects) string {
	for _, set := range slices.SortedFunc(slices.Values(objects.StatefulSets), func(a, b appsv1.StatefulSet) int { return strings.Compare(a.Name, b.Name) }) {
		want := replicas(set.Spec.Replicas)
		if set.Status.ObservedGeneration < set.Generation || set.Status.ReadyReplicas < want || set.Status.UpdatedReplicas < want {
			return progress("StatefulSet", set.Name, set.Status.ReadyReplicas, want)
		}
	}
	for _, deployment := range objects.Deployments {
		want := replicas(deployment.Spec.Replicas)
		if deployment.Status.ObservedGeneration < deployment.Generation || deployment.Status.ReadyReplicas < want || deployment.Status.UpdatedReplicas < want {
			return progress("Deployment", deployment.Name, deployment.Status.ReadyReplicas, want)
		}
	}
	for _, set := range objects.DaemonSets {
		want := set.Status.DesiredNumberScheduled
		if set.Status.ObservedGeneration < set.Generation || set.Status.NumberReady < want || want == 0 {
			return progress("DaemonSet", set.Name, set.Status.NumberReady, want)
		}
	}
	return ""
}

func progress(kind, name string, ready, want int32) string {
	return fmt.Sprintf("%s %s (%d of %d pods ready)", kind, name, ready, want)
}

func replicas(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}

// endpoints returns the ready endpoints of a server's Services, host:port sorted.
func endpoints(objects Objects, server Server) []string {
	var out []string
	for _, service := range objects.Services {
		if service.Labels[v1beta1.LabelServer] != server.Name || service.Labels[v1beta1.LabelInstance] != server.Release {
			continue
		}
		for _, slice := range objects.Slices {
			if slice.Labels[discoveryv1.LabelServiceName] == service.Name {
				out = append(out, readyEndpoints(slice)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func readyEndpoints(slice discoveryv1.EndpointSlice) []string {
	var out []string
	for _, port := range slice.Ports {
		if port.Port == nil || port.Name == nil || *port.Name != v1beta1.ServerPortName {
			continue
		}
		for _, endpoint := range slice.Endpoints {
			if endpoint.Conditions.Ready == nil || !*endpoint.Conditions.Ready || len(endpoint.Addresses) == 0 {
				continue
			}
			out = append(out, net.JoinHostPort(endpoint.Addresses[0], strconv.Itoa(int(*port.Port))))
		}
	}
	return out
}
