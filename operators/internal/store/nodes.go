package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	schedulingcorev1 "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Schedulable returns the names of the nodes that can run a pod, sorted: ready, not cordoned, matching its selector and required affinity,
// without a taint that it does not tolerate. It ignores free resources.
func Schedulable(nodes []corev1.Node, pod corev1.PodSpec) ([]string, error) {
	required := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: pod})
	var out []string
	for i := range nodes {
		node := &nodes[i]
		matches, err := required.Match(node)
		if err != nil {
			return nil, fmt.Errorf("read the pod's node affinity: %w", err)
		}
		_, untolerated := schedulingcorev1.FindMatchingUntoleratedTaint(logr.Discard(), node.Spec.Taints, pod.Tolerations, keepsAway, false)
		if matches && !untolerated && !node.Spec.Unschedulable && ready(node) {
			out = append(out, node.Name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func keepsAway(taint *corev1.Taint) bool { return taint.Effect != corev1.TaintEffectPreferNoSchedule }

func ready(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// Describe describes the nodes with the given names, in that order. Of an unknown node, only the name is set.
func Describe(nodes []corev1.Node, names []string) []v1beta1.NodeInfo {
	out := []v1beta1.NodeInfo{}
	for _, name := range names {
		info := v1beta1.NodeInfo{Name: name, Disk: "unknown"}
		if i := slices.IndexFunc(nodes, func(n corev1.Node) bool { return n.Name == name }); i >= 0 {
			info = describe(nodes[i])
		}
		out = append(out, info)
	}
	return out
}

func describe(node corev1.Node) v1beta1.NodeInfo {
	disk := strings.ToLower(node.Labels[v1beta1.LabelDisk])
	if disk == "" {
		disk = "unknown"
	}
	return v1beta1.NodeInfo{
		Name:             node.Name,
		Kernel:           node.Status.NodeInfo.KernelVersion,
		OSImage:          node.Status.NodeInfo.OSImage,
		Architecture:     node.Status.NodeInfo.Architecture,
		CPUs:             node.Status.Capacity.Cpu().String(),
		Memory:           node.Status.Capacity.Memory().String(),
		KubeletVersion:   node.Status.NodeInfo.KubeletVersion,
		ContainerRuntime: node.Status.NodeInfo.ContainerRuntimeVersion,
		Disk:             disk,
		InstanceType:     node.Labels[corev1.LabelInstanceTypeStable],
	}
}

// NodesOf returns the names of the pods' nodes, sorted and distinct.
func NodesOf(pods []corev1.Pod) []string {
	var out []string
	for _, pod := range pods {
		if pod.Spec.NodeName != "" {
			out = append(out, pod.Spec.NodeName)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
