package driver

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/soak/books"
	"ringside.dev/ringside/operators/soak/schedule"
)

// errNothing says that there is nothing of the kind at the moment.
var errNothing = errors.New("there is nothing to hit")

const (
	// nodes of the embedded cluster, by name and number.
	nodes = 4
	// patience with the end of what was hit, and with an API server that comes back.
	patience = 30 * time.Second
	interval = 100 * time.Millisecond
)

// killer does what the schedule says.
type killer struct {
	client    client.Client
	namespace string
	machines  Machines
	command   *Command
	// up starts again what is down of the cluster.
	up func(context.Context) error
}

// kill one of the kind. errNothing: there was none.
func (k *killer) kill(ctx context.Context, order schedule.Kill) (books.Hit, error) {
	hit := books.Hit{Kind: order.Kind, Before: time.Now()}
	var err error
	switch order.Kind {
	case schedule.Operator:
		err = k.killPod(ctx, order, &hit, runs.OperatorLabels())
	case schedule.LoadPod:
		err = k.killPod(ctx, order, &hit, client.MatchingLabels{v1beta1.LabelComponent: loadgen.Component})
	case schedule.StorePod:
		err = k.killPod(ctx, order, &hit, client.MatchingLabels{v1beta1.LabelComponent: v1beta1.StoreComponent})
	case schedule.Kubelet:
		err = k.killDaemon(order, &hit, nodeOf(order), "kubelet")
	case schedule.Containerd:
		err = k.killDaemon(order, &hit, nodeOf(order), "containerd")
	case schedule.APIServer:
		err = k.killDaemon(order, &hit, controlPlane, "kube-apiserver")
	case schedule.Etcd:
		err = k.killDaemon(order, &hit, controlPlane, "etcd")
	case schedule.Node:
		err = k.killNode(ctx, order, &hit)
	case schedule.Command:
		hit.Target, err = k.command.Kill()
		hit.After = time.Now()
	}
	return hit, err
}

func nodeOf(order schedule.Kill) string { return fmt.Sprintf("node%d", 1+order.Pick%nodes) }

func (k *killer) killDaemon(_ schedule.Kill, hit *books.Hit, machine, daemon string) error {
	hit.Target = machine + " " + daemon
	err := k.machines.killDaemon(machine, daemon)
	hit.After = time.Now()
	return err
}

// killPod ends a running pod: half of them by the API, as an administrator would, half by killing its processes, as the kernel would.
func (k *killer) killPod(ctx context.Context, order schedule.Kill, hit *books.Hit, labels client.MatchingLabels) error {
	pods, err := k.running(ctx, client.InNamespace(k.namespace), labels)
	if err != nil {
		return err
	}
	groups, err := k.machines.podGroups()
	if err != nil {
		return err
	}
	pods = slices.DeleteFunc(pods, func(p corev1.Pod) bool { return len(working(groups[string(p.UID)])) == 0 })
	if len(pods) == 0 {
		return errNothing
	}
	pod := pods[order.Pick/2%uint64(len(pods))]
	group := groups[string(pod.UID)]
	victims := working(group)
	hit.Before, hit.Pods = time.Now(), []books.Pod{{Name: pod.Name, UID: string(pod.UID)}}
	if order.Pick%2 == 0 {
		hit.Target = pod.Name + " (deleted)"
		if err := k.client.Delete(ctx, &pod, client.GracePeriodSeconds(0), client.Preconditions{UID: &pod.UID}); err != nil {
			return fmt.Errorf("delete pod %s: %w", pod.Name, err)
		}
	} else {
		hit.Target = pod.Name + " (its processes)"
		for _, pid := range victims {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("kill a process of pod %s: %w", pod.Name, err)
			}
		}
	}
	if k.await(ctx, func() bool { return !anyOf(victims, working(group)) }) {
		hit.After = time.Now()
	}
	return nil
}

func anyOf(these, those []int) bool {
	return slices.ContainsFunc(these, func(pid int) bool { return slices.Contains(those, pid) })
}

// running pods, as the API server shows them.
func (k *killer) running(ctx context.Context, options ...client.ListOption) ([]corev1.Pod, error) {
	var pods corev1.PodList
	if err := k.client.List(ctx, &pods, options...); err != nil {
		return nil, fmt.Errorf("list the pods: %w", err)
	}
	return slices.DeleteFunc(pods.Items, func(p corev1.Pod) bool {
		return p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil
	}), nil
}

// killNode with all that runs on it, and start it again after a while.
func (k *killer) killNode(ctx context.Context, order schedule.Kill, hit *books.Hit) error {
	node := nodeOf(order)
	pods, err := k.running(ctx)
	if err != nil {
		return err
	}
	hit.Target = node
	for _, pod := range pods {
		if pod.Spec.NodeName == node {
			hit.Pods = append(hit.Pods, books.Pod{Name: pod.Name, UID: string(pod.UID)})
		}
	}
	hit.Before = time.Now()
	if err := k.machines.killMachine(node); err != nil {
		return err
	}
	if k.await(ctx, func() bool {
		pids, err := processesBelow(k.machines.Groups + "/" + node)
		return err != nil || len(pids) == 0
	}) {
		hit.After = time.Now()
	}
	select {
	case <-time.After(order.Down):
	case <-ctx.Done():
	}
	return k.up(ctx)
}

// await a condition for as long as patience lasts.
func (k *killer) await(ctx context.Context, holds func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(interval) {
		if holds() {
			return true
		}
	}
	return false
}

// upBy the cluster's own command.
func upBy(program, state, instance string) func(context.Context) error {
	return func(ctx context.Context) error {
		var err error
		for range 5 { // another part may just have been hit
			var out []byte
			out, err = exec.CommandContext(ctx, program, "--state", state, "--instance", instance, "up").CombinedOutput()
			if err == nil {
				return nil
			}
			err = fmt.Errorf("start the cluster again: %w: %s", err, strings.TrimSpace(string(out)))
		}
		return err
	}
}
