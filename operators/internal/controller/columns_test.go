package controller_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// printed returns a column of the measurements, as kubectl get prints it, by their names.
func printed(t *testing.T, namespace, column string) map[string]string {
	t.Helper()
	client, err := rest.HTTPClientFor(cluster)
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		strings.TrimSuffix(cluster.Host, "/")+"/apis/ringside.dev/v1beta1/namespaces/"+namespace+"/measurements", nil)
	require.NoError(t, err)
	request.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close() //nolint:errcheck // only read
	var table metav1.Table
	require.NoError(t, json.NewDecoder(response.Body).Decode(&table))
	index := func(name string) int {
		at := slices.IndexFunc(table.ColumnDefinitions, func(c metav1.TableColumnDefinition) bool { return c.Name == name })
		require.GreaterOrEqual(t, at, 0, "column %s", name)
		return at
	}
	name, wanted := index("Name"), index(column)
	out := map[string]string{}
	for _, row := range table.Rows {
		text, _ := row.Cells[wanted].(string)
		out[row.Cells[name].(string)] = text
	}
	return out
}

func TestEveryJudgedRowIsPrintedAsValidOrNot(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(nil)
	h.until(experiment, func() bool { return h.measurement("quorum-r1-disruptor-write-1") != nil })
	assert.Equal(t, map[string]string{"quorum-r1-disruptor-write-1": ""}, printed(t, h.namespace, "Valid"), "not judged yet")
	h.until(experiment, func() bool { return h.measurement("quorum-r1-disruptor-read-1") != nil })
	h.world.failLoad = 64
	h.run(experiment)
	assert.Equal(t, map[string]string{"quorum-r1-disruptor-write-1": "True", "quorum-r1-disruptor-read-1": "False"}, printed(t, h.namespace, "Valid"))
}

func TestLabelsOfRingsidesOwnAreNotTaken(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	good := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Load.PodAnnotations = v1beta1.PodAnnotations{"sidecar.istio.io/inject": "false"}
		e.Spec.Load.PodLabels = v1beta1.PodLabels{"example.com/team": "storage", "empty": ""}
		e.Spec.Load.PriorityClassName = "batch.low"
	})
	for name, change := range map[string]func(*v1beta1.LoadSpec){
		"labels of ringside.dev/":      func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"ringside.dev/release": "another"} },
		"app.kubernetes.io/":           func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"app.kubernetes.io/component": "store"} },
		"job-name":                     func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"job-name": "j"} },
		"use label names":              func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"-team": "a"} },
		"spec.load.podLabels.team":     func(l *v1beta1.LoadSpec) { l.PodLabels = v1beta1.PodLabels{"team": "a b"} },
		"annotations of ringside.dev/": func(l *v1beta1.LoadSpec) { l.PodAnnotations = v1beta1.PodAnnotations{"ringside.dev/x": "y"} },
		"spec.load.priorityClassName":  func(l *v1beta1.LoadSpec) { l.PriorityClassName = "High" },
	} {
		experiment := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{GenerateName: "e-", Namespace: h.namespace}, Spec: *good.Spec.DeepCopy()}
		change(&experiment.Spec.Load)
		err := h.client.Create(h.ctx, experiment)
		require.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
		assert.ErrorContains(t, err, name)
	}
}
