package controller_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// changesOfASpec returns changes by field: of fields that were set, and of fields that were omitted.
func changesOfASpec() map[string][]func(*v1beta1.ExperimentSpec) {
	type spec = v1beta1.ExperimentSpec
	another := int64(2)
	return map[string][]func(*spec){
		"description": {func(s *spec) { s.Description = "another question" }},
		"store": {
			func(s *spec) { s.Store.Chart = "stub" },
			func(s *spec) { s.Store.Hosting = v1beta1.HostingShared },
			func(s *spec) { s.Store.ReadyTimeout.Duration++ },
			func(s *spec) { s.Store.Values.Raw = []byte(`{"nodes": 3, "storage": {"size": "1Gi"}}`) },
			func(s *spec) { s.Store.Values.Raw = []byte(`{"nodes": 2, "storage": {"size": "2Gi"}}`) },
			func(s *spec) { s.Store.Values.Raw = []byte(`{"nodes": 2, "storage": {"size": "1Gi"}, "more": null}`) },
			func(s *spec) { s.Store.Values = nil },
		},
		"servers": {
			func(s *spec) { s.Servers = append(s.Servers, v1beta1.ServerSpec{Name: "hsha"}) },
			func(s *spec) { s.Servers[0].Type = "hsha" },
			func(s *spec) { s.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{"heap": "2G"}`)} },
			func(s *spec) { s.Servers[0].Options = map[string]string{"workers": "3"} },
		},
		"baseline": {func(s *spec) { s.Baseline = s.Servers[0].Name }},
		"load": {
			func(s *spec) { s.Load.Pods++ },
			func(s *spec) { s.Load.Parameters = v1beta1.Parameters{"columns": "5"} },
		},
		"phases": {
			func(s *spec) { s.Phases[0].Threads++ },
			func(s *spec) { s.Phases = s.Phases[:1] },
		},
		"operations":    {func(s *spec) { s.Operations = &another }},
		"keys":          {func(s *spec) { s.Keys = &another }},
		"rounds":        {func(s *spec) { s.Rounds++ }},
		"warmupRounds":  {func(s *spec) { s.WarmupRounds = 1 }},
		"installations": {func(s *spec) { s.Installations = 2 }},
		"precision":     {func(s *spec) { s.Precision = "3%" }},
		"budget":        {func(s *spec) { s.Budget = &metav1.Duration{Duration: time.Hour} }},
		"equivalent":    {func(s *spec) { s.Equivalent = "1%" }},
		"seed":          {func(s *spec) { s.Seed = &another }},
		"maxAttempts":   {func(s *spec) { s.MaxAttempts++ }},
		"gates":         {func(s *spec) { s.Gates.Disk = v1beta1.GateOff }},
	}
}

// mayChange lists the fields that may change during a run.
var mayChange = []string{"suspend", "ttlAfterFinished"}

func TestSpecOfARunIsFixed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Rounds = 2
		e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 2, "storage": {"size": "1Gi"}}`)}
	})
	changes := changesOfASpec()
	assert.ElementsMatch(t, fieldsOfASpec(), slices.Concat(slices.Collect(maps.Keys(changes)), mayChange), "every field is tried")
	for field, all := range changes {
		for i, change := range all {
			for _, also := range []func(*v1beta1.ExperimentSpec){func(*v1beta1.ExperimentSpec) {}, func(s *v1beta1.ExperimentSpec) { s.Suspend = true }} {
				changed := h.get(experiment)
				change(&changed.Spec)
				also(&changed.Spec)
				err := h.client.Update(h.ctx, changed)
				require.True(t, apierrors.IsInvalid(err), "%s, change %d: %v", field, i, err)
				assert.Contains(t, err.Error(), "only suspend and ttlAfterFinished may change); start a new run instead", "%s, change %d", field, i)
			}
		}
	}
}

func fieldsOfASpec() []string {
	var fields []string
	for field := range reflect.TypeFor[v1beta1.ExperimentSpec]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	return fields
}

// Stopping, resuming and keeping a run must not count as a change of its chart's values.
func TestARunWithValuesCanBeStoppedResumedAndKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"storage": {"size": "1Gi"}, "nodes": 2, "ratio": 1.5, "list": [], "nothing": null}`)}
		e.Spec.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 2}`)}
	})
	suspend(h, experiment, true)
	suspend(h, experiment, false)
	changed := h.get(experiment)
	changed.Spec.TTLAfterFinished = &metav1.Duration{Duration: time.Hour}
	changed.Spec.Store.Values.Raw = []byte(`{"nothing": null, "list": [], "ratio": 1.5, "nodes": 2, "storage": {"size": "1Gi"}}`)
	require.NoError(t, h.client.Update(h.ctx, changed))
}
