package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Annotations that a run carries for its report.
const (
	// AnnotationCommand is the exact command that repeats the run.
	AnnotationCommand = "ringside.dev/command"
	// AnnotationProfile is the profile that was applied to the experiment file.
	AnnotationProfile = "ringside.dev/profile"
	// AnnotationOtherServer is a server that the run did not measure, and could.
	AnnotationOtherServer = "ringside.dev/other-server"
	// AnnotationNote describes what the figures are and are not.
	AnnotationNote = "ringside.dev/note"
	// AnnotationChanges are the fields of the experiment file that the profile and flags changed, one a line.
	AnnotationChanges = "ringside.dev/changes"
)

// Object returns the Experiment to create from an experiment file. It is unstructured, so that the API server sets the
// defaults of omitted fields.
func Object(document []byte, name, run string, annotations map[string]string) (*unstructured.Unstructured, error) {
	var tree map[string]any
	if err := json.Unmarshal(document, &tree); err != nil {
		return nil, fmt.Errorf("decoding the experiment: %w", err)
	}
	object := &unstructured.Unstructured{Object: tree}
	delete(tree, "status")
	object.SetName(name + "-" + run)
	chart, _, _ := unstructured.NestedString(tree, "spec", "store", "chart") // the type was checked before
	labels := object.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[v1beta1.LabelExperiment], labels[v1beta1.LabelRun], labels[v1beta1.LabelStore] = name, run, v1beta1.StoreSpec{Chart: chart}.Name()
	object.SetLabels(labels)
	all := object.GetAnnotations()
	if all == nil {
		all = map[string]string{}
	}
	for key, value := range annotations {
		if value != "" {
			all[key] = value
		}
	}
	object.SetAnnotations(all)
	return object, nil
}

// Create creates a run. With dryRun the API server only validates it.
func (c *Cluster) Create(ctx context.Context, object *unstructured.Unstructured, dryRun bool) (*v1beta1.Experiment, error) {
	object = object.DeepCopy()
	object.SetNamespace(c.namespace)
	opts := []client.CreateOption{client.FieldValidation("Strict")}
	if dryRun {
		opts = append(opts, client.DryRunAll)
	}
	err := c.create(ctx, object, opts)
	switch {
	case err == nil && dryRun:
		return nil, nil
	case err == nil:
		var experiment v1beta1.Experiment
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &experiment); err != nil {
			return nil, fmt.Errorf("reading the run that was started: %w", err)
		}
		return &experiment, nil
	case !dryRun && leavesOpen(err):
		if experiment := c.begun(ctx, object.GetName()); experiment != nil {
			return experiment, nil
		}
	}
	return nil, c.explain(err)
}

func (c *Cluster) create(ctx context.Context, object *unstructured.Unstructured, opts []client.CreateOption) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return c.client.Create(ctx, object, opts...)
}

// leavesOpen reports whether a request that failed with err may have been executed nevertheless: its response was lost,
// or the server reported an internal error.
func leavesOpen(err error) bool {
	status := apierrors.APIStatus(nil)
	return !errors.As(err, &status) || status.Status().Code >= http.StatusInternalServerError
}

// Refused reports whether the cluster rejected the request. If not, it was unavailable or overloaded, and may accept
// the request later.
func Refused(err error) bool {
	return !leavesOpen(err) && !apierrors.IsTooManyRequests(err)
}

// begun returns the run with that name, or nil if it is not found in time. Otherwise a run that was created in spite of
// an error would occupy the cluster unnoticed.
func (c *Cluster) begun(ctx context.Context, name string) *v1beta1.Experiment {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var found *v1beta1.Experiment
	_ = wait.PollUntilContextCancel(ctx, retryPause, true, func(ctx context.Context) (bool, error) {
		var experiment v1beta1.Experiment
		err := c.client.Get(ctx, client.ObjectKey{Namespace: c.namespace, Name: name}, &experiment)
		if err == nil {
			found = &experiment
		}
		return err == nil || !leavesOpen(err), nil
	})
	return found
}

func (c *Cluster) get(ctx context.Context, name string) (*v1beta1.Experiment, error) {
	var experiment v1beta1.Experiment
	if err := c.client.Get(ctx, client.ObjectKey{Namespace: c.namespace, Name: name}, &experiment); err != nil {
		return nil, c.explain(err)
	}
	return &experiment, nil
}

// List returns all runs in the cluster, oldest first.
func (c *Cluster) List(ctx context.Context) ([]v1beta1.Experiment, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var list v1beta1.ExperimentList
	if err := c.client.List(ctx, &list, client.InNamespace(c.namespace)); err != nil {
		return nil, c.explain(err)
	}
	slices.SortFunc(list.Items, func(a, b v1beta1.Experiment) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
	})
	return list.Items, nil
}

// Find returns a run by its identifier or the Experiment's name; latest or an empty name means the latest run.
func (c *Cluster) Find(ctx context.Context, run string) (*v1beta1.Experiment, error) {
	all, err := c.List(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w in namespace %s: ringside run starts one", ErrNoRun, c.namespace)
	}
	if run == "" || run == "latest" {
		return &all[len(all)-1], nil
	}
	var names []string
	for i := range all {
		if all[i].Name == run || all[i].RunID() == run {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, fmt.Errorf("%w as %q in namespace %s: choose from %s", ErrNoRun, run, c.namespace, strings.Join(names, ", "))
}

// ErrNoRun reports that the cluster has no such run.
var ErrNoRun = fmt.Errorf("no such run")

// Measurements returns the measurements of a run.
func (c *Cluster) Measurements(ctx context.Context, e *v1beta1.Experiment) ([]v1beta1.Measurement, error) {
	var all []v1beta1.Measurement
	token := ""
	for {
		var page v1beta1.MeasurementList
		if err := c.page(ctx, &page, runLabels(e), token); err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if token = page.Continue; token == "" {
			return all, nil
		}
	}
}

func runLabels(e *v1beta1.Experiment) client.MatchingLabels {
	return client.MatchingLabels{v1beta1.LabelExperiment: e.DocumentName(), v1beta1.LabelRun: e.RunID()}
}

// Profile returns the packed profile of a finished measurement; nil if it has none.
func (c *Cluster) Profile(ctx context.Context, m *v1beta1.Measurement) ([]byte, error) {
	if m.Status.Result == nil || m.Status.Result.Profile == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	chunks, err := c.chunks(ctx, m.Status.Result.Profile.Chunks)
	return slices.Concat(chunks...), err
}

// chunks returns the chunks of data that a load pod stored, in order.
func (c *Cluster) chunks(ctx context.Context, names []string) ([][]byte, error) {
	var chunks [][]byte
	for _, name := range names {
		var chunk corev1.ConfigMap
		key := client.ObjectKey{Namespace: c.namespace, Name: name}
		// A chunk never changes, so the API server may answer from its cache, which need not show a new one yet.
		err := c.client.Get(ctx, key, &chunk, &client.GetOptions{Raw: &metav1.GetOptions{ResourceVersion: "0"}})
		if apierrors.IsNotFound(err) {
			err = c.client.Get(ctx, key, &chunk)
		}
		if err != nil {
			return nil, fmt.Errorf("reading log %s: %w", name, c.explain(err))
		}
		chunks = append(chunks, chunk.BinaryData[measure.LogKey])
	}
	return chunks, nil
}

// Remains describes the objects of a run in the cluster, for a message.
func (c *Cluster) Remains(ctx context.Context, e *v1beta1.Experiment) string {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var parts []string
	if now, err := c.get(ctx, e.Name); err == nil {
		if now.Status.Store != nil {
			parts = append(parts, "store "+now.Status.Store.Release)
		}
		parts = append(parts, "experiment "+now.Name)
	}
	var jobs batchv1.JobList
	if err := c.client.List(ctx, &jobs, client.InNamespace(c.namespace), runLabels(e)); err == nil && len(jobs.Items) > 0 {
		parts = append(parts, fmt.Sprintf("%d load jobs", len(jobs.Items)))
	}
	return strings.Join(parts, ", ")
}

// Events returns the events about the run or its measurements, one line each, oldest first.
func (c *Cluster) Events(ctx context.Context, e *v1beta1.Experiment) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var list corev1.EventList
	if err := c.client.List(ctx, &list, client.InNamespace(c.namespace)); err != nil {
		return "", c.explain(err)
	}
	slices.SortFunc(list.Items, func(a, b corev1.Event) int { return eventTime(&a).Compare(eventTime(&b)) })
	var out strings.Builder
	for i := range list.Items {
		event := &list.Items[i]
		if eventTime(event).Before(e.CreationTimestamp.Time) {
			continue
		}
		fmt.Fprintf(&out, "%s %s %s/%s %s: %s\n", eventTime(event).UTC().Format(time.RFC3339), event.Type,
			event.InvolvedObject.Kind, event.InvolvedObject.Name, event.Reason, textfmt.OneLine(event.Message))
	}
	return out.String(), nil
}

func eventTime(event *corev1.Event) time.Time {
	switch {
	case !event.EventTime.IsZero():
		return event.EventTime.Time
	case !event.LastTimestamp.IsZero():
		return event.LastTimestamp.Time
	}
	return event.CreationTimestamp.Time
}
