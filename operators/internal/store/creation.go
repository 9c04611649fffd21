package store

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Reasons of the events by which workload controllers report the creation of pods.
const (
	reasonFailedCreate     = "FailedCreate"
	reasonSuccessfulCreate = "SuccessfulCreate"
)

// CreationFault returns why the controller of a workload cannot create its pods (a quota, Pod Security, a missing service account), in its
// own words; empty if its latest attempt succeeded, or there was none. Controllers report this only in events.
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

// seen returns the time at which an event was last seen, for either version of the events API.
func seen(event *corev1.Event) time.Time {
	if event.Series != nil {
		return event.Series.LastObservedTime.Time
	}
	if !event.LastTimestamp.IsZero() {
		return event.LastTimestamp.Time
	}
	return event.EventTime.Time
}
