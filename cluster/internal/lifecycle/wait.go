package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/topology"
)

func (c Cluster) client() (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Layout.Kubeconfig())
	if err != nil {
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	config.Timeout = 10 * time.Second
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
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	err = poll(ctx, 250*time.Millisecond, func(ctx context.Context) error {
		return api.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
	if err != nil {
		return nil, c.failure(topology.ControlPlane, "kube-apiserver", fmt.Errorf("is not ready after %v: %w", apiTimeout, err))
	}
	return api, nil
}

func (c Cluster) waitUntilReady(ctx context.Context, api kubernetes.Interface, settings Settings, nodes []topology.Node) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for _, n := range nodes {
		err := poll(ctx, 500*time.Millisecond, func(ctx context.Context) error { return nodeReady(ctx, api, n.Name) })
		if err != nil {
			return c.failure(n.Name, "kubelet", fmt.Errorf("does not become ready: %w", err))
		}
		if err := note(ctx, api, n.Name, settings.Disk.Evidence); err != nil {
			return err
		}
	}
	c.Say("nodes: %d ready", len(nodes))
	err := poll(ctx, 500*time.Millisecond, func(ctx context.Context) error {
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

// note writes down on the node why its disk is called what it is called.
func note(ctx context.Context, api kubernetes.Interface, name, evidence string) error {
	patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, evidenceNote, evidence)
	_, err := api.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, []byte(patch), meta.PatchOptions{})
	if err != nil {
		return fmt.Errorf("annotate node %s: %w", name, err)
	}
	return nil
}

// tailLines is how much of a log is shown when something fails.
const tailLines = 15

// failure names the daemon to blame and shows the end of its log. A daemon of the same machine that keeps ending is
// more to blame than the one that was waited for.
func (c Cluster) failure(machineName, service string, cause error) error {
	if process, err := c.process(machineName); err == nil {
		if services, err := process.Services(); err == nil {
			for _, s := range services {
				if s.Restarts > 0 && !s.Running {
					service, cause = s.Name, fmt.Errorf("keeps ending (%s); %w", s.LastExit, cause)
					break
				}
			}
		}
	}
	path := machine.ServiceLog(c.Layout.Logs(machineName), service)
	content, err := os.ReadFile(path)
	if err != nil {
		path = machine.InitLog(c.Layout.Logs(machineName))
		content, _ = os.ReadFile(path) // the path alone is of use, too
	}
	return fmt.Errorf("%s on %s %w\nlast lines of %s:\n%s", service, machineName, cause, path, tail(string(content), tailLines))
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
