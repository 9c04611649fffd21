package driver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/internal/runs"
)

// inventory is all that a cluster has, as lines: objects, volumes, processes of pods, packet filter rules. What is there after all runs
// were removed and was not there before was left by them.
type inventory struct {
	discovery discovery.DiscoveryInterface
	objects   metadata.Interface
	namespace string
	machines  Machines
	// state is the cluster's folder.
	state string
}

func newInventory(config *rest.Config, namespace, state string, machines Machines) (*inventory, error) {
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a discovery client: %w", err)
	}
	objects, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make a metadata client: %w", err)
	}
	return &inventory{discovery: found, objects: objects, namespace: namespace, machines: machines, state: state}, nil
}

// take it.
func (i *inventory) take(ctx context.Context) (map[string]bool, error) {
	lines := map[string]bool{}
	err := errors.Join(i.takeObjects(ctx, lines), i.takeProcesses(ctx, lines), i.takeVolumes(lines), i.takeRules(ctx, lines))
	return lines, err
}

// left is what is there now and was not before.
func left(before, now map[string]bool) []string {
	var out []string
	for _, line := range slices.Sorted(maps.Keys(now)) {
		if !before[line] {
			out = append(out, line)
		}
	}
	return out
}

// passing objects come and go without anybody's doing.
var passing = []string{"events", "endpointslices", "csinodes", "componentstatuses"}

// takeObjects of the namespace, and those of no namespace. Another life of the operator's pod is no other object.
func (i *inventory) takeObjects(ctx context.Context, lines map[string]bool) error {
	lists, err := i.discovery.ServerPreferredResources()
	if err != nil {
		return fmt.Errorf("ask which kinds there are: %w", err)
	}
	operator := labels.SelectorFromSet(labels.Set(runs.OperatorLabels()))
	for _, list := range lists {
		group, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return fmt.Errorf("read a group: %w", err)
		}
		for _, kind := range list.APIResources {
			if !slices.Contains(kind.Verbs, "list") || slices.Contains(passing, kind.Name) {
				continue
			}
			of := i.objects.Resource(group.WithResource(kind.Name))
			var objects *metav1.PartialObjectMetadataList
			if kind.Namespaced {
				objects, err = of.Namespace(i.namespace).List(ctx, metav1.ListOptions{})
			} else {
				objects, err = of.List(ctx, metav1.ListOptions{})
			}
			if err != nil {
				return fmt.Errorf("list %s: %w", kind.Name, err)
			}
			for _, object := range objects.Items {
				if kind.Name == "pods" && operator.Matches(labels.Set(object.Labels)) {
					continue
				}
				lines[kind.Name+" "+object.Name] = true
			}
		}
	}
	return nil
}

// takeProcesses of pods that the API server does not know.
func (i *inventory) takeProcesses(ctx context.Context, lines map[string]bool) error {
	groups, err := i.machines.podGroups()
	if err != nil {
		return err
	}
	pods, err := i.objects.Resource(corev1.SchemeGroupVersion.WithResource("pods")).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list the pods: %w", err)
	}
	for _, pod := range pods.Items {
		delete(groups, string(pod.UID))
	}
	for uid, group := range groups {
		lines[fmt.Sprintf("processes of pod %s, which is no more: %v", uid, working(group))] = true
	}
	return nil
}

// takeVolumes that nodes keep.
func (i *inventory) takeVolumes(lines map[string]bool) error {
	folders, err := filepath.Glob(filepath.Join(i.state, "machines/*/var/lib/ringside/volumes/*"))
	if err != nil {
		return fmt.Errorf("look for volumes: %w", err)
	}
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			lines["volume "+strings.TrimPrefix(folder, i.state+"/")] = true
		}
	}
	return nil
}

// takeRules of the nodes' packet filters: tables, and the chains of kube-proxy that name a service of the namespace.
func (i *inventory) takeRules(ctx context.Context, lines map[string]bool) error {
	for n := range nodes {
		node := fmt.Sprintf("node%d", n+1)
		pid, err := i.machines.init(node)
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(ctx, "nsenter", "--net", fmt.Sprintf("--target=%d", pid), "--", "nft", "list", "ruleset").Output()
		if err != nil {
			return fmt.Errorf("list the rules of %s: %w", node, err)
		}
		for line := range strings.SplitSeq(string(out), "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "table ") || strings.HasPrefix(line, "chain ") && strings.Contains(line, "-"+i.namespace+"/") {
				lines[node+" rule: "+line] = true
			}
		}
	}
	return nil
}
