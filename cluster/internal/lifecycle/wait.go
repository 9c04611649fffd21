package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"ringside.dev/ringside/cluster/internal/policy"
	"ringside.dev/ringside/cluster/internal/topology"
)

func (c Cluster) client() (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Layout.Kubeconfig())
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	config.Timeout = c.within(10 * time.Second)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	return client, nil
}

func (c Cluster) waitForAPI(ctx context.Context) (kubernetes.Interface, error) {
	api, err := c.client()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.within(apiTimeout))
	defer cancel()
	err = poll(ctx, 250*time.Millisecond, func(ctx context.Context) error {
		if err := c.crashLoop(topology.ControlPlane); err != nil {
			return err
		}
		return api.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
	if err != nil {
		return nil, c.failure(topology.ControlPlane, "kube-apiserver", fmt.Errorf("is not ready: %w", err))
	}
	return api, nil
}

// waitUntilReady returns when every node is ready, network policies are enforced and names resolve. The nodes in fresh
// were started at the given time: what the API server reports of them may be older.
func (c Cluster) waitUntilReady(ctx context.Context, api kubernetes.Interface, settings Settings, nodes []topology.Node, fresh []string, started time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, c.within(readyTimeout))
	defer cancel()
	for _, n := range nodes {
		err := poll(ctx, 500*time.Millisecond, func(ctx context.Context) error {
			if err := c.crashLoop(n.Name); err != nil {
				return err
			}
			if slices.Contains(fresh, n.Name) {
				if err := reportedSince(ctx, api, n.Name, started); err != nil {
					return err
				}
			}
			return nodeReady(ctx, api, n.Name)
		})
		if err != nil {
			return c.failure(n.Name, "kubelet", fmt.Errorf("does not become ready: %w", err))
		}
		if err := note(ctx, api, n.Name, settings.Disk.Evidence); err != nil {
			return err
		}
	}
	c.Say("nodes: %d ready", len(nodes))
	if err := c.waitForPolicies(ctx, nodes); err != nil {
		return err
	}
	err := poll(ctx, 500*time.Millisecond, func(ctx context.Context) error {
		if err := c.crashLoop(topology.ControlPlane); err != nil {
			return err
		}
		deployment, err := api.AppsV1().Deployments("kube-system").Get(ctx, "coredns", meta.GetOptions{})
		if err != nil {
			return err
		}
		if deployment.Status.ObservedGeneration < deployment.Generation || deployment.Status.AvailableReplicas < 1 {
			return errors.New("deployment kube-system/coredns has no available pod")
		}
		return nil
	})
	if err != nil {
		return c.failure(topology.ControlPlane, "kube-controller-manager", fmt.Errorf("name resolution: %w", err))
	}
	c.Say("name resolution: ready")
	return c.noteShortfalls(nodes)
}

func (c Cluster) waitForPolicies(ctx context.Context, nodes []topology.Node) error {
	for _, n := range nodes {
		err := poll(ctx, 100*time.Millisecond, func(context.Context) error {
			process, err := c.process(n.Name)
			if err != nil {
				return err
			}
			if err := c.crashLoop(n.Name); err != nil {
				return err
			}
			_, err = policiesInForce(process)
			return err
		})
		if err != nil {
			return c.failure(n.Name, policy.Service, err)
		}
	}
	c.Say("network policies: enforced")
	return nil
}

// noteShortfalls prints once which limits all machines lack: the same program started them.
func (c Cluster) noteShortfalls(nodes []topology.Node) error {
	process, err := c.process(nodes[0].Name)
	if err != nil {
		return err
	}
	shortfalls, err := process.Shortfalls()
	if len(shortfalls) > 0 {
		c.Say("note: limits that could not be raised without CAP_SYS_RESOURCE: %s", strings.Join(shortfalls, "; "))
	}
	return err
}

// reportedSince reports whether the node's kubelet has renewed its lease since the given time.
func reportedSince(ctx context.Context, api kubernetes.Interface, name string, since time.Time) error {
	lease, err := api.CoordinationV1().Leases(core.NamespaceNodeLease).Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return err
	}
	if renewed := lease.Spec.RenewTime; renewed == nil || renewed.Before(&meta.MicroTime{Time: since}) {
		return errors.New("it has not reported since it was started")
	}
	return nil
}

func nodeReady(ctx context.Context, api kubernetes.Interface, name string) error {
	node, err := api.CoreV1().Nodes().Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return err
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == core.NodeReady {
			if condition.Status == core.ConditionTrue {
				return nil
			}
			return errors.New(condition.Message)
		}
	}
	return errors.New("it has not reported yet")
}

// note records on the node the evidence for the kind of its disk.
func note(ctx context.Context, api kubernetes.Interface, name, evidence string) error {
	patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, evidenceNote, evidence)
	_, err := api.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, []byte(patch), meta.PatchOptions{})
	if err != nil {
		return fmt.Errorf("annotate node %s: %w", name, err)
	}
	return nil
}
