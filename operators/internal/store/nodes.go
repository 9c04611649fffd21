package store

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
