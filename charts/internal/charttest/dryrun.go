package charttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/apiserver"
)

// DryRun sends all objects to a real API server in dry-run mode, and the pods of StatefulSets too: the namespace
// enforces restricted Pod Security, which rejects only pods themselves.
func DryRun(t *testing.T, objects Objects) {
	t.Helper()
	api, err := client.New(apiserver.New(t, &envtest.Environment{}), client.Options{})
	require.NoError(t, err)
	require.NoError(t, api.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: Namespace, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"},
	}}))
	offer := func(name string, object client.Object) {
		object.SetNamespace(Namespace)
		assert.NoError(t, api.Create(t.Context(), object, client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict)), name)
	}
	for name, object := range objects {
		if object.GetKind() == "StatefulSet" {
			var set appsv1.StatefulSet
			objects.Get(t, name, &set)
			offer("pod of "+name, podOf(set))
		}
		offer(name, object.DeepCopy())
	}
}

// podOf returns the pod that the StatefulSet's controller would create, without its volume claims.
func podOf(set appsv1.StatefulSet) *corev1.Pod {
	template := set.Spec.Template.DeepCopy()
	pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	pod.Name = set.Name + "-0"
	for _, claim := range set.Spec.VolumeClaimTemplates {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name + "-" + pod.Name},
		}})
	}
	return pod
}
