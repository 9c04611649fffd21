package scale

import (
	"context"
	"fmt"
	"maps"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

const (
	// writers is the number of parallel writers that fill the API server.
	writers = 16
	// perRun is the number of measurements of each earlier run.
	perRun = 200
)

// fillHistory creates measurements of earlier runs from a real one of 100 s, with four nodes and one load pod.
func (c *cluster) fillHistory(ctx context.Context, size Size, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read a measurement of the past: %w", err)
	}
	var measured v1alpha1.Measurement
	if err := yaml.UnmarshalStrict(text, &measured); err != nil {
		return fmt.Errorf("read a measurement of the past: %w", err)
	}
	group, filling := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for i := range size.History {
		group.Go(func() error {
			m := measured.DeepCopy()
			run := fmt.Sprintf("run-%d", i/perRun)
			m.ObjectMeta = metav1.ObjectMeta{Namespace: size.namespace(), Name: fmt.Sprintf("%s-m%d", run, i), Labels: maps.Clone(measured.Labels)}
			m.Labels[v1alpha1.LabelRun] = run
			return c.create(filling, m)
		})
	}
	now := metav1.Now()
	for i := range (size.History + perRun - 1) / perRun {
		earlier, err := size.experiment()
		if err != nil {
			return err
		}
		earlier.Name = fmt.Sprintf("run-%d", i)
		earlier.Labels[v1alpha1.LabelRun] = earlier.Name
		earlier.Status.FinishedAt = &now
		group.Go(func() error {
			status := earlier.Status
			if err := c.client.Create(filling, earlier); err != nil {
				return err
			}
			earlier.Status = status
			return c.client.Status().Update(filling, earlier)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("fill history: %w", err)
	}
	return nil
}

// fillRun creates all measurements of the run but those on its last store, as finished by an earlier operator.
func (c *cluster) fillRun(ctx context.Context, size Size, e *v1alpha1.Experiment) error {
	logs, err := c.storeLogs(ctx, size)
	if err != nil {
		return err
	}
	group, filling := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	stores := plan.Build(e, *e.Spec.Seed).Stores
	began := time.Now().Add(-24 * time.Hour)
	for i, installation := range stores[:len(stores)-1] {
		for j, cell := range installation.Cells {
			group.Go(func() error {
				m := simulated.Measurement(e, cell)
				m.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(e, v1alpha1.GroupVersion.WithKind("Experiment"))}
				if _, err := simulated.Finish(m, began.Add(time.Duration(i*repeats+j)*time.Minute/10)); err != nil {
					return err
				}
				tell(m, size, installation.Release, logs)
				return c.create(filling, m)
			})
		}
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("fill the run: %w", err)
	}
	return nil
}

// tell fills in the pods and nodes of a measurement of this size.
func tell(m *v1alpha1.Measurement, size Size, release string, logs [][]string) {
	node := m.Status.Environment.StoreNodes[0]
	m.Status.Environment.StoreNodes, m.Status.Environment.LoadNodes = nil, nil
	for i := range size.Store {
		node.Name = fmt.Sprintf("node-%d", i)
		m.Status.Environment.StoreNodes = append(m.Status.Environment.StoreNodes, node)
		m.Status.StorePods = append(m.Status.StorePods, v1alpha1.StorePod{Name: fmt.Sprintf("%s-%d", release, i), UID: "00000000-0000-0000-0000-000000000000"})
	}
	at := metav1.NewMicroTime(m.Status.Result.StartedAt.Time)
	for i := range size.Pods {
		node.Name = fmt.Sprintf("node-%d", size.Store+i)
		m.Status.Environment.LoadNodes = append(m.Status.Environment.LoadNodes, node)
		m.Status.Parts = append(m.Status.Parts, v1alpha1.Part{Index: int32(i), Attempt: 1, State: v1alpha1.PartDone, Pod: fmt.Sprintf("%s-a1-%d-abcde", m.Name, i), Node: node.Name,
			Operations: 1000, OpRate: "100.0", P95Millis: "12.500", FirstIntervalAt: &at, LastIntervalAt: &at, ClockOffsetMicros: ptr.To[int64](100), ClockErrorMicros: ptr.To[int64](200),
			Connected: true, CPUUsedPermille: ptr.To[int64](400), CPUWaitedPermille: ptr.To[int64](10), Logs: logs[i]})
	}
}

// storeLogs stores the logs of load pods once. All measurements of the past refer to the same logs; otherwise there
// would be millions of intervals.
func (c *cluster) storeLogs(ctx context.Context, size Size) ([][]string, error) {
	logs := make([][]string, size.Pods)
	for i := range logs {
		log, err := loadOf(time.Now()).Log(uint64(i))
		if err != nil {
			return nil, err
		}
		chunks, err := measure.PackLog(log, measure.MaxChunks)
		if err != nil {
			return nil, err
		}
		for j, chunk := range chunks {
			name := fmt.Sprintf("log-%d-%d", i, j)
			err := c.client.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: size.namespace(), Name: name}, BinaryData: map[string][]byte{measure.LogKey: chunk}})
			if err != nil {
				return nil, fmt.Errorf("store a log: %w", err)
			}
			logs[i] = append(logs[i], name)
		}
	}
	return logs, nil
}

// create creates a measurement with its status, with retries if the API server is busy.
func (c *cluster) create(ctx context.Context, m *v1alpha1.Measurement) error {
	status := m.Status
	if err := patiently(func() error { return client.IgnoreAlreadyExists(c.client.Create(ctx, m)) }); err != nil {
		return err
	}
	return patiently(func() error {
		if err := c.client.Get(ctx, client.ObjectKeyFromObject(m), m); err != nil {
			return err
		}
		m.Status = status
		return c.client.Status().Update(ctx, m)
	})
}

// patiently retries requests that time out.
func patiently(ask func() error) error {
	backoff := wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 1, Steps: 6}
	return retry.OnError(backoff, func(err error) bool {
		return apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err) || apierrors.IsTooManyRequests(err)
	}, ask)
}
