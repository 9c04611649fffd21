package charttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// bounded tests that the volumes of a chart's pods have size limits, and that init containers, single pods and the
// pods of CronJobs have memory limits.
func bounded(t *testing.T, objects Objects) {
	t.Helper()
	for key, object := range objects {
		var spec corev1.PodSpec
		switch object.GetKind() {
		case "StatefulSet":
			var set appsv1.StatefulSet
			objects.Get(t, key, &set)
			spec = set.Spec.Template.Spec
		case "Deployment":
			var deployment appsv1.Deployment
			objects.Get(t, key, &deployment)
			spec = deployment.Spec.Template.Spec
		case "CronJob":
			var job batchv1.CronJob
			objects.Get(t, key, &job)
			spec = job.Spec.JobTemplate.Spec.Template.Spec
		case "Pod":
			var pod corev1.Pod
			objects.Get(t, key, &pod)
			spec = pod.Spec
		}
		if kind := object.GetKind(); kind == "Pod" || kind == "CronJob" {
			for _, container := range spec.Containers {
				assert.NotZero(t, container.Resources.Limits.Memory().Value(), "memory limit of %s's container %s", key, container.Name)
			}
		}
		for _, volume := range spec.Volumes {
			if volume.EmptyDir != nil {
				assert.NotNil(t, volume.EmptyDir.SizeLimit, "size limit of %s's volume %s", key, volume.Name)
			}
		}
		for _, container := range spec.InitContainers {
			assert.NotZero(t, container.Resources.Limits.Memory().Value(), "memory limit of %s's container %s", key, container.Name)
		}
	}
}
