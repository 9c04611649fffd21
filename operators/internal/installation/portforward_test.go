package installation

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func service(port intstr.IntOrString) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "watch", Name: "monitoring-grafana"},
		Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "grafana"}, Ports: []corev1.ServicePort{{Port: 80, TargetPort: port}}}}
}

func pod(name, app string, ready corev1.ConditionStatus) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "watch", Name: name, Labels: map[string]string{"app": app}},
		Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "grafana", Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 3000}}}}},
		Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}}}
}

func TestAServiceIsForwardedToAPodThatIsReady(t *testing.T) {
	pods := []client.Object{pod("a", "other", corev1.ConditionTrue), pod("b", "grafana", corev1.ConditionFalse), pod("c", "grafana", corev1.ConditionTrue)}
	for name, test := range map[string]struct {
		port intstr.IntOrString
		want int32
	}{
		"a named port":         {intstr.FromString("http"), 3000},
		"a number":             {intstr.FromInt32(3001), 3001},
		"the Service's number": {intstr.IntOrString{}, 80},
	} {
		t.Run(name, func(t *testing.T) {
			c := fake.NewClientBuilder().WithObjects(append(pods, service(test.port))...).Build()
			target, err := FindTarget(t.Context(), c, "watch", "monitoring-grafana")
			require.NoError(t, err)
			assert.Equal(t, ForwardTarget{"watch", "c", test.want}, target)
		})
	}
}

func TestWithoutAReadyPodNothingIsForwarded(t *testing.T) {
	c := fake.NewClientBuilder().WithObjects(service(intstr.FromInt32(3000)), pod("b", "grafana", corev1.ConditionFalse)).Build()
	_, err := FindTarget(t.Context(), c, "watch", "monitoring-grafana")
	require.ErrorContains(t, err, "no pod of Service monitoring-grafana is ready; see: kubectl -n watch get pods,events")
	_, err = FindTarget(t.Context(), c, "watch", "monitoring-prometheus")
	assert.True(t, apierrors.IsNotFound(err))
}

func TestAPortThatIsTakenIsReportedWithTheVariableThatChangesIt(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	err = Listen(taken.Addr().(*net.TCPAddr).Port)
	require.ErrorContains(t, err, "address already in use; choose another port with PORT=<port>")
	assert.NoError(t, Listen(0))
}
