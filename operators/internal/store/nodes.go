package store

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Schedulable nodes for pods with the given selector and tolerations, in the order of their names.
func Schedulable(nodes []corev1.Node, selector map[string]string, tolerations []corev1.Toleration) []string {
	var out []string
	for _, node := range nodes {
		if !node.Spec.Unschedulable && ready(node) && tolerated(node.Spec.Taints, tolerations) &&
			labels.SelectorFromSet(selector).Matches(labels.Set(node.Labels)) {
			out = append(out, node.Name)
		}
	}
	slices.Sort(out)
	return out
}

func ready(node corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

func tolerated(taints []corev1.Taint, tolerations []corev1.Toleration) bool {
	for _, taint := range taints {
		if taint.Effect == corev1.TaintEffectPreferNoSchedule {
			continue
		}
		if !slices.ContainsFunc(tolerations, func(t corev1.Toleration) bool { return tolerates(t, taint) }) {
			return false
		}
	}
	return true
}

// tolerates as the scheduler has it: an empty effect or key means any, Exists needs no value.
func tolerates(toleration corev1.Toleration, taint corev1.Taint) bool {
	if toleration.Effect != "" && toleration.Effect != taint.Effect {
		return false
	}
	if toleration.Key != "" && toleration.Key != taint.Key {
		return false
	}
	if toleration.Operator == corev1.TolerationOpExists {
		return true
	}
	return toleration.Key != "" && toleration.Value == taint.Value
}

// Describe the nodes with the given names, in their order; a name without a node keeps its name.
func Describe(nodes []corev1.Node, names []string) []v1alpha1.NodeInfo {
	out := []v1alpha1.NodeInfo{}
	for _, name := range names {
		info := v1alpha1.NodeInfo{Name: name, Disk: "unknown"}
		if i := slices.IndexFunc(nodes, func(n corev1.Node) bool { return n.Name == name }); i >= 0 {
			info = describe(nodes[i])
		}
		out = append(out, info)
	}
	return out
}

func describe(node corev1.Node) v1alpha1.NodeInfo {
	disk := strings.ToLower(node.Labels[v1alpha1.LabelDisk])
	if disk == "" {
		disk = "unknown"
	}
	return v1alpha1.NodeInfo{
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

// NodesOf the pods, each once, in order.
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
