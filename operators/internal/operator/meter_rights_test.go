package operator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/meter"
)

const (
	ownMeasurement = "quorum-r1-hsha-read-1"
	ownPod         = ownMeasurement + "-a1-0-x7k2p"
	// ownCompanion is led by the measurement of the pod, otherCompanion by another one.
	ownCompanion   = "quorum-r1-xedin-read-1"
	otherCompanion = "quorum-r1-threadpool-read-1"
)

// meterOf returns the configuration of a load pod with the token in its container.
func meterOf(config *rest.Config, pod string) *rest.Config {
	return as(config, runsNamespace, "ringside-meter", map[string][]string{"authentication.kubernetes.io/pod-name": {pod}})
}

// rightsServer returns the API server with measurements in it.
func rightsServer(t *testing.T) (*rest.Config, client.Client) {
	t.Helper()
	config, admin := apiServer(t)
	for name, lead := range map[string]string{ownMeasurement: "", "quorum-r1-disruptor-read-1": "", ownCompanion: ownMeasurement, otherCompanion: "quorum-r1-disruptor-read-1"} {
		m := &v1alpha1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: runsNamespace}, Spec: v1alpha1.MeasurementSpec{Lead: lead}}
		require.NoError(t, admin.Create(t.Context(), m))
		m.Status.Attempt, m.Status.Warnings = 1, []string{"the operator's"}
		m.Status.Parts = []v1alpha1.Part{{Index: 1, Attempt: 1, State: v1alpha1.PartReady, Pod: name + "-a1-1-aaaaa"}}
		require.NoError(t, admin.Status().Update(t.Context(), m))
	}
	return config, admin
}

func TestMetersTokenIsGoodForItsOwnPodsReportAndNothingElse(t *testing.T) {
	config, admin := rightsServer(t)
	scheme, err := Scheme()
	require.NoError(t, err)
	thief, err := client.New(meterOf(config, ownPod), client.Options{Scheme: scheme})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*rightsPatience)
	defer cancel()

	own := &v1alpha1.Measurement{}
	require.NoError(t, thief.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: ownMeasurement}, own))
	log := func(change func(*corev1.ConfigMap)) *corev1.ConfigMap {
		c := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: ownMeasurement + "-a1-p0-log-0-0123456789abcdef",
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "ringside.dev/v1alpha1", Kind: "Measurement", Name: own.Name, UID: own.UID}}},
			BinaryData: map[string][]byte{"log": []byte("log")},
		}
		change(c)
		return c
	}
	// Policies take effect with a delay.
	require.Eventually(t, func() bool {
		err := thief.Create(ctx, log(func(c *corev1.ConfigMap) { c.Labels = map[string]string{"owner": "helm"} }), client.DryRunAll)
		part := own.DeepCopy()
		part.Status.Warnings = nil
		return apierrors.IsInvalid(err) && apierrors.IsInvalid(thief.Status().Patch(ctx, part, client.MergeFrom(own), client.DryRunAll))
	}, rightsPatience, 100*time.Millisecond)

	for name, change := range map[string]func(*corev1.ConfigMap){
		"a forged release": func(c *corev1.ConfigMap) {
			c.Name = "sh.helm.release.v1.hsha-r1-abc.v1"
			c.Labels = map[string]string{"owner": "helm"}
		},
		"a release under a log's name": func(c *corev1.ConfigMap) { c.Data = map[string]string{"release": "H4sI"} },
		"a log that belongs to nobody": func(c *corev1.ConfigMap) { c.OwnerReferences = nil },
		"a log of another measurement": func(c *corev1.ConfigMap) {
			c.Name, c.OwnerReferences[0].Name = "quorum-r1-disruptor-read-1-a1-p0-log-0-00", "quorum-r1-disruptor-read-1"
		},
		"a log that belongs to a companion": func(c *corev1.ConfigMap) {
			c.Name, c.OwnerReferences[0].Name = ownCompanion+"-a1-p0-log-0-00", ownCompanion
		},
		"what belongs to an experiment": func(c *corev1.ConfigMap) { c.OwnerReferences[0].Kind = "Experiment" },
		"anything else in a log":        func(c *corev1.ConfigMap) { c.BinaryData["script"] = []byte("x") },
	} {
		err := thief.Create(ctx, log(change))
		assert.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
	}
	err = thief.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: "kube-root-ca.crt"}, &corev1.ConfigMap{})
	assert.True(t, apierrors.IsForbidden(err), "other ConfigMaps: %v", err)

	other, companion, stranger := &v1alpha1.Measurement{}, &v1alpha1.Measurement{}, &v1alpha1.Measurement{}
	for name, into := range map[string]*v1alpha1.Measurement{"quorum-r1-disruptor-read-1": other, ownCompanion: companion, otherCompanion: stranger} {
		require.NoError(t, admin.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: name}, into))
	}
	for name, test := range map[string]struct {
		of     *v1alpha1.Measurement
		change func(*v1alpha1.MeasurementStatus)
	}{
		"the operator's fields":   {own, func(s *v1alpha1.MeasurementStatus) { s.Valid = true }},
		"what the operator wrote": {own, func(s *v1alpha1.MeasurementStatus) { s.Warnings = nil }},
		"another pod's part":      {own, func(s *v1alpha1.MeasurementStatus) { s.Parts[0].State = v1alpha1.PartDone }},
		"a part for another pod": {own, func(s *v1alpha1.MeasurementStatus) {
			s.Parts = append(s.Parts, v1alpha1.Part{State: v1alpha1.PartDone, Pod: "else"})
		}},
		"the end of another's part": {own, func(s *v1alpha1.MeasurementStatus) { s.Parts = nil }},
		"another measurement": {other, func(s *v1alpha1.MeasurementStatus) {
			s.Parts = append(s.Parts, v1alpha1.Part{State: v1alpha1.PartDone, Pod: ownPod})
		}},
		"a companion of another": {stranger, func(s *v1alpha1.MeasurementStatus) {
			s.Parts = append(s.Parts, v1alpha1.Part{State: v1alpha1.PartDone, Pod: ownPod})
		}},
		"the operator's fields of a companion": {companion, func(s *v1alpha1.MeasurementStatus) { s.Valid = true }},
		"another pod's part of a companion":    {companion, func(s *v1alpha1.MeasurementStatus) { s.Parts[0].State = v1alpha1.PartDone }},
	} {
		changed := test.of.DeepCopy()
		test.change(&changed.Status)
		err := thief.Status().Patch(ctx, changed, client.MergeFrom(test.of))
		assert.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
	}

	t.Run("its own report goes through", func(t *testing.T) {
		api, err := meter.NewAPI(meterOf(config, ownPod), meter.Config{Namespace: runsNamespace, Measurement: ownMeasurement, Attempt: 1})
		require.NoError(t, err)
		require.NoError(t, api.WritePart(ctx, v1alpha1.Part{State: v1alpha1.PartReady, Pod: ownPod}))
		_, err = api.StoreLog(ctx, own, own, 0, []byte("log"))
		require.NoError(t, err)
		require.NoError(t, api.WritePart(ctx, v1alpha1.Part{State: v1alpha1.PartDone, Pod: ownPod}))
		require.NoError(t, admin.Get(ctx, client.ObjectKeyFromObject(own), own))
		assert.Len(t, own.Status.Parts, 2, fmt.Sprint(own.Status.Parts))

		name, err := api.StoreLog(ctx, own, companion, 0, []byte("the companion's log"))
		require.NoError(t, err)
		require.NoError(t, api.For(ownCompanion).WritePart(ctx, v1alpha1.Part{State: v1alpha1.PartDone, Pod: ownPod, Logs: []string{name}}))
		require.NoError(t, admin.Get(ctx, client.ObjectKeyFromObject(companion), companion))
		assert.Len(t, companion.Status.Parts, 2, fmt.Sprint(companion.Status.Parts))
	})
}
