package policy

import (
	"context"
	"fmt"
	"log"
	"reflect"
	"time"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/knftables"
)

const (
	// Service is the name of the daemon.
	Service = "network-policy"
	// Command is the hidden command that runs the daemon.
	Command = "enforce-network-policies"
	// User is the user name of the daemon at the API server.
	User = "ringside:network-policy"

	permissionInterval = 250 * time.Millisecond
	// retryAfter is the delay after a failure before the rules are computed and written again.
	retryAfter = 2 * time.Second
)

// Run keeps the node's rules in line with the policies until the context ends. The rules remain: a restarted daemon
// replaces them, and they end with the machine.
func Run(ctx context.Context, kubeconfig, node string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("read kubeconfig: %w", err)
	}
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	filter, err := knftables.New(knftables.IPv4Family, Table)
	if err != nil {
		return fmt.Errorf("packet filter: %w; install nftables 1.0.1 or newer", err)
	}
	enforcer := &enforcer{node: node, filter: filter, report: func(s State) error { return s.write(stateFile) }}
	if err := enforcer.report(State{}); err != nil { // the state of a previous process may be outdated
		return err
	}
	if err := untilPermitted(ctx, client); err != nil {
		return err
	}
	watched, changes, err := watch(ctx, client)
	if err != nil {
		return err
	}
	return enforcer.run(ctx, watched, changes)
}

// untilPermitted waits for the daemon's role, which is created once the API server answers. The backoff of informers
// would grow meanwhile.
func untilPermitted(ctx context.Context, client kubernetes.Interface) error {
	for {
		_, err := client.NetworkingV1().NetworkPolicies("").List(ctx, meta.ListOptions{Limit: 1})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("read network policies: %w", err)
		case <-time.After(permissionInterval):
		}
	}
}

// watch returns a function that reads the world, and a channel that signals possible changes.
func watch(ctx context.Context, client kubernetes.Interface) (func() (World, error), <-chan struct{}, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(trim))
	policies := factory.Networking().V1().NetworkPolicies()
	pods := factory.Core().V1().Pods()
	namespaces := factory.Core().V1().Namespaces()
	changes := make(chan struct{}, 1)
	changed := func() {
		select {
		case changes <- struct{}{}:
		default: // a signal is pending
		}
	}
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { changed() },
		UpdateFunc: func(old, now any) { changed() },
		DeleteFunc: func(any) { changed() },
	}
	for _, informer := range []cache.SharedIndexInformer{policies.Informer(), pods.Informer(), namespaces.Informer()} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return nil, nil, fmt.Errorf("watch: %w", err)
		}
	}
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return nil, nil, fmt.Errorf("watch %v: %w", kind, context.Cause(ctx))
		}
	}
	changed() // also if there are no objects
	return func() (World, error) {
		var world World
		var err error
		if world.Policies, err = policies.Lister().List(labels.Everything()); err != nil {
			return World{}, fmt.Errorf("list network policies: %w", err)
		}
		if world.Pods, err = pods.Lister().List(labels.Everything()); err != nil {
			return World{}, fmt.Errorf("list pods: %w", err)
		}
		if world.Namespaces, err = namespaces.Lister().List(labels.Everything()); err != nil {
			return World{}, fmt.Errorf("list namespaces: %w", err)
		}
		return world, nil
	}, changes, nil
}

// trim keeps only the fields that Compile reads.
func trim(object any) (any, error) {
	switch o := object.(type) {
	case *core.Pod:
		slim := &core.Pod{ObjectMeta: trimMeta(o.ObjectMeta)}
		slim.Spec.NodeName, slim.Spec.HostNetwork = o.Spec.NodeName, o.Spec.HostNetwork
		slim.Spec.InitContainers, slim.Spec.Containers = trimContainers(o.Spec.InitContainers), trimContainers(o.Spec.Containers)
		slim.Status.Phase, slim.Status.PodIP, slim.Status.PodIPs = o.Status.Phase, o.Status.PodIP, o.Status.PodIPs
		return slim, nil
	case *core.Namespace:
		return &core.Namespace{ObjectMeta: trimMeta(o.ObjectMeta)}, nil
	case *networking.NetworkPolicy:
		return &networking.NetworkPolicy{ObjectMeta: trimMeta(o.ObjectMeta), Spec: o.Spec}, nil
	}
	return object, nil
}

func trimMeta(m meta.ObjectMeta) meta.ObjectMeta {
	return meta.ObjectMeta{
		Namespace: m.Namespace, Name: m.Name, UID: m.UID, ResourceVersion: m.ResourceVersion, Labels: m.Labels,
		CreationTimestamp: m.CreationTimestamp, DeletionTimestamp: m.DeletionTimestamp,
	}
}

func trimContainers(all []core.Container) []core.Container {
	slim := make([]core.Container, 0, len(all))
	for _, c := range all {
		slim = append(slim, core.Container{Name: c.Name, Ports: c.Ports, RestartPolicy: c.RestartPolicy})
	}
	return slim
}

// enforcer writes rules when they differ from those in force.
type enforcer struct {
	node    string
	filter  knftables.Interface
	report  func(State) error
	inForce *Ruleset
}

func (e *enforcer) run(ctx context.Context, look func() (World, error), changes <-chan struct{}) error {
	var retry <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changes:
		case <-retry:
		}
		retry = nil
		if err := e.step(ctx, look); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			log.Printf("%v; what was in force stays so; trying again in %v", err, retryAfter)
			retry = time.After(retryAfter)
		}
	}
}

func (e *enforcer) step(ctx context.Context, look func() (World, error)) error {
	world, err := look()
	if err != nil {
		return e.failed(err)
	}
	rules, err := Compile(world, e.node)
	if err != nil {
		return e.failed(err)
	}
	if e.inForce != nil && reflect.DeepEqual(*e.inForce, rules) {
		return nil
	}
	if err := apply(ctx, e.filter, rules); err != nil {
		return e.failed(err)
	}
	e.inForce = &rules
	return e.report(State{InForce: true, Policies: len(rules.Policies), Pods: len(rules.Pods)})
}

func (e *enforcer) failed(err error) error {
	e.inForce = nil // so that the state is reported again once writing succeeds
	_ = e.report(State{Fault: err.Error()})
	return err
}
