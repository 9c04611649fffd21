package operator

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter"
)

const (
	ownMeasurement = "quorum-20261129-010000-r1-hsha-read-1-a-more-1"
	// longMeasurement has the same beginning, and shortMeasurement is one.
	longMeasurement, shortMeasurement = "quorum-20261129-010000-r1-hsha-read-1-a-more-2", "quorum-20261129-010000-r1-hsha-read-1"
	ownPod                            = ownMeasurement + "-a1-0-x7k2p"
	// otherPod is another load pod of the same measurement.
	otherPod         = ownMeasurement + "-a1-1-aaaaa"
	otherMeasurement = "quorum-r1-disruptor-read-1"
	// ownCompanion is led by the measurement of the pod.
	ownCompanion = "quorum-r1-xedin-read-1"
)

// meterOf returns the configuration of a load pod with the token in its container.
func meterOf(config *rest.Config, pod string) *rest.Config {
	return as(config, runsNamespace, "ringside-meter", map[string][]string{"authentication.kubernetes.io/pod-name": {pod}})
}

// rightsServer returns the API server with measurements in it.
func rightsServer(t *testing.T) (*rest.Config, client.Client) {
	t.Helper()
	config, admin := apiServer(t)
	for name, lead := range map[string]string{ownMeasurement: "", otherMeasurement: "", ownCompanion: ownMeasurement} {
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: runsNamespace}, Spec: v1beta1.MeasurementSpec{Lead: lead}}
		require.NoError(t, admin.Create(t.Context(), m))
		m.Status.Attempt = 1
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

	own := &v1beta1.Measurement{}
	require.NoError(t, thief.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: ownMeasurement}, own))
	log := func(change func(*corev1.ConfigMap)) *corev1.ConfigMap {
		c := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: ownMeasurement + "-a1-p0-log-0-0123456789abcdef",
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "ringside.dev/v1beta1", Kind: "Measurement", Name: own.Name, UID: own.UID}}},
			BinaryData: map[string][]byte{"log": []byte("log")},
		}
		change(c)
		return c
	}
	// Policies take effect with a delay.
	require.Eventually(t, func() bool {
		err := thief.Create(ctx, log(func(c *corev1.ConfigMap) { c.Labels = map[string]string{"owner": "helm"} }), client.DryRunAll)
		return apierrors.IsInvalid(err) && apierrors.IsInvalid(thief.Create(ctx, report(own, otherPod), client.DryRunAll))
	}, rightsPatience, 100*time.Millisecond)

	for name, change := range map[string]func(*corev1.ConfigMap){
		"a forged release": func(c *corev1.ConfigMap) {
			c.Name = "sh.helm.release.v1.hsha-r1-abc.v1"
			c.Labels = map[string]string{"owner": "helm"}
		},
		"a release under a log's name": func(c *corev1.ConfigMap) { c.Data = map[string]string{"release": "H4sI"} },
		"a log that belongs to nobody": func(c *corev1.ConfigMap) { c.OwnerReferences = nil },
		"a log of another measurement": func(c *corev1.ConfigMap) {
			c.Name, c.OwnerReferences[0].Name = otherMeasurement+"-a1-p0-log-0-00", otherMeasurement
		},
		"a log that belongs to a companion": func(c *corev1.ConfigMap) {
			c.Name, c.OwnerReferences[0].Name = ownCompanion+"-a1-p0-log-0-00", ownCompanion
		},
		"a log of a measurement with the same beginning": func(c *corev1.ConfigMap) {
			c.Name, c.OwnerReferences[0].Name = longMeasurement+"-a1-p0-log-0-00", longMeasurement
		},
		"a log of a measurement whose name the pod's begins with": func(c *corev1.ConfigMap) {
			c.Name, c.OwnerReferences[0].Name = shortMeasurement+"-a1-p0-log-0-00", shortMeasurement
		},
		"what belongs to an experiment": func(c *corev1.ConfigMap) { c.OwnerReferences[0].Kind = "Experiment" },
		"anything else in a log":        func(c *corev1.ConfigMap) { c.BinaryData["script"] = []byte("x") },
	} {
		err := thief.Create(ctx, log(change))
		assert.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
	}
	err = thief.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: "kube-root-ca.crt"}, &corev1.ConfigMap{})
	assert.True(t, apierrors.IsForbidden(err), "other ConfigMaps: %v", err)

	other, companion := &v1beta1.Measurement{}, &v1beta1.Measurement{}
	for name, into := range map[string]*v1beta1.Measurement{otherMeasurement: other, ownCompanion: companion} {
		require.NoError(t, admin.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: name}, into))
	}
	require.NoError(t, admin.Create(ctx, report(own, otherPod)))
	forPod := func(pod string) func(*v1beta1.MeasurementPart) {
		return func(p *v1beta1.MeasurementPart) { p.Part.Pod = pod }
	}
	for name, test := range map[string]struct {
		written *v1beta1.MeasurementPart
		change  func(*v1beta1.MeasurementPart)
	}{
		"another pod's report":                 {report(own, otherPod), forPod(ownPod)},
		"the report of a pod to come":          {report(own, ownMeasurement+"-a2-0-bbbbb"), forPod(ownPod)},
		"what another pod says":                {report(own, ownPod), forPod(otherPod)},
		"what another pod says of a companion": {report(own, ownPod), func(p *v1beta1.MeasurementPart) { p.Companions[0].Part.Pod = otherPod }},
		"a report that belongs to nobody":      {report(own, ownPod), func(p *v1beta1.MeasurementPart) { p.OwnerReferences = nil }},
		"a report for another measurement":     {report(other, ownPod), func(*v1beta1.MeasurementPart) {}},
		"a report that belongs to a companion": {report(companion, ownPod), func(*v1beta1.MeasurementPart) {}},
		"a report that belongs to a run":       {report(own, ownPod), func(p *v1beta1.MeasurementPart) { p.OwnerReferences[0].Kind = "Experiment" }},
		"a report with a finalizer":            {report(own, ownPod), func(p *v1beta1.MeasurementPart) { p.Finalizers = []string{"example.com/stay"} }},
		"a report with two owners, one foreign": {report(own, ownPod), func(p *v1beta1.MeasurementPart) {
			p.OwnerReferences = append(p.OwnerReferences, report(other, "").OwnerReferences...)
		}},
	} {
		test.change(test.written)
		err := thief.Create(ctx, test.written.DeepCopy())
		assert.True(t, apierrors.IsInvalid(err), "create %s: %v", name, err)
		data, err := json.Marshal(test.written)
		require.NoError(t, err)
		err = thief.Patch(ctx, test.written, client.RawPatch(types.ApplyPatchType, data), client.ForceOwnership, client.FieldOwner("thief"))
		assert.True(t, apierrors.IsInvalid(err), "apply %s: %v", name, err)
	}
	changed := own.DeepCopy()
	changed.Status.Valid = true
	err = thief.Status().Patch(ctx, changed, client.MergeFrom(own))
	assert.True(t, apierrors.IsForbidden(err), "what the operator writes: %v", err)

	t.Run("its own report goes through", func(t *testing.T) {
		api, err := meter.NewAPI(meterOf(config, ownPod), meter.Config{Namespace: runsNamespace, Measurement: ownMeasurement, Attempt: 1, Pod: ownPod})
		require.NoError(t, err)
		require.NoError(t, api.WritePart(ctx, v1beta1.Part{State: v1beta1.PartReady, Pod: ownPod}))
		_, err = api.StoreLog(ctx, own, own, 0, []byte("log"))
		require.NoError(t, err)
		name, err := api.StoreLog(ctx, own, companion, 0, []byte("the companion's log"))
		require.NoError(t, err)
		require.NoError(t, api.WritePart(ctx, v1beta1.Part{State: v1beta1.PartDone, Pod: ownPod},
			v1beta1.CompanionPart{Measurement: ownCompanion, Part: v1beta1.Part{State: v1beta1.PartDone, Pod: ownPod, Logs: []string{name}}}))
		written := &v1beta1.MeasurementPart{}
		require.NoError(t, admin.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: ownPod}, written))
		assert.Equal(t, v1beta1.PartDone, written.Part.State)
		assert.Equal(t, ownCompanion, written.Companions[0].Measurement)
	})
}

// report returns the report of a load pod for a measurement and a companion.
func report(of *v1beta1.Measurement, pod string) *v1beta1.MeasurementPart {
	part := v1beta1.Part{State: v1beta1.PartDone, Pod: pod, Attempt: 1}
	return &v1beta1.MeasurementPart{
		TypeMeta: metav1.TypeMeta{APIVersion: v1beta1.GroupVersion.String(), Kind: "MeasurementPart"},
		ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: pod,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: v1beta1.GroupVersion.String(), Kind: "Measurement", Name: of.Name, UID: of.UID}}},
		Part:       part,
		Companions: []v1beta1.CompanionPart{{Measurement: ownCompanion, Part: part}},
	}
}
