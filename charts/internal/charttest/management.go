package charttest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// HoldToStoreKit tests the additional behaviour of charts of stores on images/store-kit: metrics, counters and profiles
// on ports that can be disabled, and data on volumes of a storage class. first is the server that the chart starts by
// default.
func (s Store) HoldToStoreKit(t *testing.T, first string) {
	t.Run("refuses ports that collide", func(t *testing.T) { refusesPortsThatCollide(t, first) })
	t.Run("leaves the metrics out when asked", leavesTheMetricsOut)
	t.Run("tells its counters to the load", s.tellsItsCounters)
	t.Run("keeps its data on volumes of the class asked for", keepsItsDataOnVolumes)
}

func refusesPortsThatCollide(t *testing.T, first string) {
	for values, says := range map[string]string{
		`{port: 8079}`:                           "port is 8079: server " + first + " would listen on port 8079, which is used by the probes",
		`{port: 9404}`:                           "port 9404, which is used by metrics.port",
		`{metrics: {enabled: true, port: 8079}}`: "metrics.port is 8079: the port is used by the probes",
		`{profile: {enabled: true, port: 8079}}`: "profile.port is 8079: the port is used by the probes",
		`{port: 9406}`:                           "port 9406, which is used by profile.port",
	} {
		_, err := Render(t, ".", values)
		assert.ErrorContains(t, err, says)
	}
}

func leavesTheMetricsOut(t *testing.T) {
	pod := StatefulSet(t, MustRender(t, ".", `metrics: {enabled: false, port: 9404}`)).Spec.Template
	assert.NotContains(t, pod.Labels, v1beta1.LabelScrape)
	assert.Equal(t, "0", Environment(pod.Spec.Containers[0])["RINGSIDE_METRICS_PORT"])
	for _, port := range pod.Spec.Containers[0].Ports {
		assert.NotEqual(t, "metrics", port.Name)
	}
}

func (s Store) tellsItsCounters(t *testing.T) {
	objects := MustRender(t, ".", "")
	container := StatefulSet(t, objects).Spec.Template.Spec.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolUDP})
	assert.Equal(t, "9405", Environment(container)["RINGSIDE_COUNTERS_PORT"])
	assert.Contains(t, s.loadMayReach(t, objects), networkingv1.NetworkPolicyPort{Port: ptr.To(intstr.FromString("counters")), Protocol: ptr.To(corev1.ProtocolUDP)})

	without := StatefulSet(t, MustRender(t, ".", `counters: {enabled: false, port: 9405}`)).Spec.Template.Spec.Containers[0]
	assert.Equal(t, "0", Environment(without)["RINGSIDE_COUNTERS_PORT"])
	for _, port := range without.Ports {
		assert.NotEqual(t, "counters", port.Name)
	}
}

func keepsItsDataOnVolumes(t *testing.T) {
	set := StatefulSet(t, MustRender(t, ".", ""))
	require.Len(t, set.Spec.VolumeClaimTemplates, 1)
	claim := set.Spec.VolumeClaimTemplates[0]
	assert.Equal(t, "local-ssd", *claim.Spec.StorageClassName)
	assert.Equal(t, "10Gi", claim.Spec.Resources.Requests.Storage().String())
	assert.Equal(t, Release, claim.Labels["app.kubernetes.io/instance"], "the operator removes what carries it")
	assert.Equal(t, "ssd", set.Spec.Template.Spec.NodeSelector["ringside.dev/disk"])
	container := set.Spec.Template.Spec.Containers[0]
	var mounted string
	for _, mount := range container.VolumeMounts {
		if mount.Name == claim.Name {
			mounted = mount.MountPath
		}
	}
	require.NotEmpty(t, mounted)
	assert.Equal(t, mounted, filepath.Dir(Environment(container)["RINGSIDE_DATA"]))

	elsewhere := StatefulSet(t, MustRender(t, ".", `storage: {className: "", disk: ""}`))
	assert.Nil(t, elsewhere.Spec.VolumeClaimTemplates[0].Spec.StorageClassName, "the cluster's default")
	assert.Empty(t, elsewhere.Spec.Template.Spec.NodeSelector)
}
