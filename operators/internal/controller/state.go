package controller

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// toolFailed reports whether a measurement ended without a result because the load tool failed in every attempt. Later
// phases would fail as well.
func toolFailed(measurement *v1beta1.Measurement) bool {
	if !measurement.Finished() || measurement.Status.Result != nil || len(measurement.Status.Failures) == 0 {
		return false
	}
	for _, failure := range measurement.Status.Failures {
		if failure.Reason != v1beta1.FailureLoadToolFailed {
			return false
		}
	}
	return true
}

// hasResult reports whether a load pod has delivered its result.
func hasResult(part v1beta1.Part) bool {
	return part.State == v1beta1.PartDone || part.State == v1beta1.PartSettling
}

// jobEnded reports whether a Job has completed or failed.
func jobEnded(job *batchv1.Job) bool {
	for _, condition := range job.Status.Conditions {
		if (condition.Type == batchv1.JobComplete || condition.Type == batchv1.JobFailed) && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

func jobFailure(job *batchv1.Job) (reason, message string, failed bool) {
	for _, condition := range job.Status.Conditions {
		if (condition.Type == batchv1.JobFailed || condition.Type == batchv1.JobFailureTarget) && condition.Status == corev1.ConditionTrue {
			return condition.Reason, condition.Message, true
		}
	}
	return "", "", false
}
