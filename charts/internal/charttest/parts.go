package charttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// holdsParts tests parts that several stores have, each by its value: ports that can be disabled, data on volumes of a storage class.
func (s Store) holdsParts(t *testing.T) {
	parts := Load(t, ".").Values
	t.Run("refuses values that make no sense", func(t *testing.T) { Refuses(t, ".", s.nonsense(t)) })
	t.Run("refuses ports that collide", s.refusesPortsThatCollide)
	if metrics := parts["metrics"].(map[string]any); metrics["enabled"] != nil {
		t.Run("leaves the metrics out when asked", leavesTheMetricsOut)
	}
	if counters, has := parts["counters"].(map[string]any); has {
		t.Run("tells its counters to the load", func(t *testing.T) { s.tellsItsCounters(t, counters["enabled"] != nil) })
	}
	if parts["storage"] != nil {
		t.Run("keeps its data on volumes of the class asked for", keepsItsDataOnVolumes)
	}
}

// nonsense returns values that every store refuses, and a part of the message.
func (s Store) nonsense(t *testing.T) map[string]struct{ Values, Says string } {
	first := ServerTypes(t, ".")[0]
	twice := "items at 0 and 1 are equal"
	if s.OneServer {
		twice = "maxItems: got 2, want 1"
	}
	return map[string]struct{ Values, Says string }{
		"a server nobody knows":        {`server: {types: [netty]}`, "value must be one of '" + first + "'"},
		"no server":                    {`server: {types: []}`, "minItems"},
		"a server twice":               {`server: {types: [` + first + `, ` + first + `]}`, "at '/server/types': " + twice},
		"no node":                      {`nodes: 0`, "minimum"},
		"half a node":                  {`nodes: 1.5`, "want integer"},
		"a value with a typing error":  {`replicationfactor: 3`, "additional properties 'replicationfactor' not allowed"},
		"options with a variable":      {`jvmOptions: ["-Dx=$(POD_IP)"]`, "does not match pattern"},
		"options with one of a file":   {`jvmOptions: ["-Dx=${POD_IP}"]`, "does not match pattern"},
		"a heap that Java cannot take": {`heap: {max: 1Gi}`, "does not match pattern"},
		"a port that the system has":   {`profile: {enabled: true, port: 80}`, "minimum"},
	}
}

// refusesPortsThatCollide tests the ports of the probes, of the metrics, of profiles and of the first server. Servers on UDP have ports of their own.
func (s Store) refusesPortsThatCollide(t *testing.T) {
	container := StatefulSet(t, MustRender(t, ".", "")).Spec.Template.Spec.Containers[0]
	probes := portNamed(container, container.StartupProbe.HTTPGet.Port.StrVal)
	require.NotNil(t, probes)
	refuses := func(values string, says ...string) {
		_, err := Render(t, ".", values)
		for _, text := range says {
			assert.ErrorContains(t, err, text)
		}
	}
	refuses(fmt.Sprintf("metrics: {port: %d}", probes.ContainerPort), fmt.Sprintf("metrics.port is %d: the port is used by the probes", probes.ContainerPort))
	refuses(fmt.Sprintf("profile: {port: %d}", probes.ContainerPort), fmt.Sprintf("profile.port is %d: the port is used by the probes", probes.ContainerPort))
	refuses("profile: {port: 9404}", "profile.port is 9404: the port is used by metrics.port; choose another port")
	if s.Protocol != "" || s.OneServer {
		return
	}
	value, first := "port: %d", strings.Split(Environment(container)["RINGSIDE_SERVERS"], ":")[0]
	if s.PortTable != "" {
		value = s.PortTable + ": {port: %d}"
	}
	for port, user := range map[int32]string{probes.ContainerPort: "the probes", 9404: "metrics.port", 9406: "profile.port"} {
		refuses(fmt.Sprintf(value, port), fmt.Sprintf("port is %d: server %s would listen on port %d, which is used by %s; choose another port", port, first, port, user))
	}
}

// leavesTheMetricsOut tests that nothing of the metrics and of their exporter remains when disabled.
func leavesTheMetricsOut(t *testing.T) {
	with, without := MustRender(t, ".", ""), MustRender(t, ".", `metrics: {enabled: false, port: 9404}`)
	for _, text := range []string{"jmx.yaml", "jmx-exporter", "JMX_EXPORTER", "jmx_prometheus"} {
		assert.False(t, rendered(t, without, text), text)
	}
	for key, object := range without {
		if data, is := object.Object["data"]; is {
			assert.NotEmpty(t, data, key)
		}
	}
	pod := StatefulSet(t, without).Spec.Template
	assert.NotContains(t, pod.Labels, v1beta1.LabelScrape)
	assert.Nil(t, portNamed(pod.Spec.Containers[0], "metrics"))
	const variable = "RINGSIDE_METRICS_PORT"
	if _, has := Environment(StatefulSet(t, with).Spec.Template.Spec.Containers[0])[variable]; has {
		assert.Equal(t, "0", Environment(pod.Spec.Containers[0])[variable])
	}
}

// tellsItsCounters tests that the load may ask for counters, and may not where they are disabled.
func (s Store) tellsItsCounters(t *testing.T, optional bool) {
	const variable = "RINGSIDE_COUNTERS_PORT"
	open := networkingv1.NetworkPolicyPort{Port: ptr.To(intstr.FromString(v1beta1.CountersPortName)), Protocol: ptr.To(corev1.ProtocolUDP)}
	with := MustRender(t, ".", `counters: {port: 9500}`)
	container := StatefulSet(t, with).Spec.Template.Spec.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: v1beta1.CountersPortName, ContainerPort: 9500, Protocol: corev1.ProtocolUDP})
	assert.Equal(t, "9500", Environment(container)[variable])
	assert.Contains(t, s.loadMayReach(t, with), open)
	if !optional {
		return
	}
	without := MustRender(t, ".", `counters: {enabled: false, port: 9500}`)
	container = StatefulSet(t, without).Spec.Template.Spec.Containers[0]
	assert.Nil(t, portNamed(container, v1beta1.CountersPortName))
	assert.Contains(t, []string{"", "0"}, Environment(container)[variable])
	assert.NotContains(t, s.loadMayReach(t, without), open)
}

func keepsItsDataOnVolumes(t *testing.T) {
	set := StatefulSet(t, MustRender(t, ".", ""))
	require.Len(t, set.Spec.VolumeClaimTemplates, 1)
	claim := set.Spec.VolumeClaimTemplates[0]
	assert.Equal(t, "local-ssd", *claim.Spec.StorageClassName)
	assert.Equal(t, "10Gi", claim.Spec.Resources.Requests.Storage().String())
	assert.Equal(t, map[string]string{v1beta1.LabelDisk: "ssd"}, set.Spec.Template.Spec.NodeSelector)
	container := set.Spec.Template.Spec.Containers[0]
	var mounted string
	for _, mount := range container.VolumeMounts {
		if mount.Name == claim.Name {
			mounted = mount.MountPath
		}
	}
	require.NotEmpty(t, mounted)
	if data, told := Environment(container)["RINGSIDE_DATA"]; told {
		assert.True(t, strings.HasPrefix(data+"/", mounted+"/"), "%s is on the volume %s", data, mounted)
	}

	elsewhere := StatefulSet(t, MustRender(t, ".", `storage: {className: "", disk: ""}`))
	assert.Nil(t, elsewhere.Spec.VolumeClaimTemplates[0].Spec.StorageClassName, "the cluster's default")
	assert.Empty(t, elsewhere.Spec.Template.Spec.NodeSelector)
	elsewhere = StatefulSet(t, MustRender(t, ".", `{storage: {disk: "", className: standard}, nodeSelector: {pool: bench}}`))
	assert.Equal(t, "standard", *elsewhere.Spec.VolumeClaimTemplates[0].Spec.StorageClassName)
	assert.Equal(t, map[string]string{"pool": "bench"}, elsewhere.Spec.Template.Spec.NodeSelector)
}

// portNamed returns the port of a container with that name; nil if it has none.
func portNamed(container corev1.Container, name string) *corev1.ContainerPort {
	for _, port := range container.Ports {
		if port.Name == name {
			return &port
		}
	}
	return nil
}
