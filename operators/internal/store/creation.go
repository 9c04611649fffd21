package store

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Reasons of the events by which controllers of workloads tell how making pods went.
const (
	reasonFailedCreate     = "FailedCreate"
	reasonSuccessfulCreate = "SuccessfulCreate"
)

// CreationFault is why the controller of a workload cannot make its pods (a quota, Pod Security, a missing service account), in
// its own words; empty when its latest try went well, or it has made none. A controller tells it in events alone.
func CreationFault(events []corev1.Event) string {
	var latest *corev1.Event
	for i := range events {
		event := &events[i]
		if event.Reason != reasonFailedCreate && event.Reason != reasonSuccessfulCreate {
			continue
		}
		if latest == nil || seen(event).After(seen(latest)) {
			latest = event
		}
	}
	if latest == nil || latest.Reason == reasonSuccessfulCreate {
		return ""
	}
	return latest.Message
}

// seen is when an event was seen last, of either generation of the events API.
func seen(event *corev1.Event) time.Time {
	if event.Series != nil {
		return event.Series.LastObservedTime.Time
	}
	if !event.LastTimestamp.IsZero() {
		return event.LastTimestamp.Time
	}
	return event.EventTime.Time
}
