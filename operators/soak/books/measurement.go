package books

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/soak/schedule"
)

func counted(n results.Optional[int64]) int64 { return n.Value }

// checkMeasurement: what it says of itself fits together, and it is not valid where something of it was hit.
func checkMeasurement(m *v1beta1.Measurement, hits []Hit) []Discrepancy {
	if !m.Finished() {
		return nil // told by name
	}
	if !m.Status.Valid {
		if len(m.Status.InvalidReasons) == 0 {
			return []Discrepancy{discrepancy(m.Name, "it is invalid and no reason is given")}
		}
		return nil
	}
	var found []Discrepancy
	if m.Status.Result == nil {
		return []Discrepancy{discrepancy(m.Name, "it is valid and has no result")}
	}
	if got := m.Status.Result.Operations + m.Status.Result.Errors; m.Spec.Operations > 0 && got != m.Spec.Operations {
		found = append(found, discrepancy(m.Name, "it is valid with %d of %d operations", got, m.Spec.Operations))
	}
	if got, given := int(m.Status.Attempt), len(m.Status.Failures)+1; m.Spec.Lead == "" && got != given {
		found = append(found, discrepancy(m.Name, "it is at attempt %d and tells of %d that failed", got, given-1))
	}
	found = append(found, checkParts(m)...)
	for _, hit := range hits {
		if pod := storePodHit(m, hit); pod != "" {
			found = append(found, discrepancy(m.Name, "it is valid though store pod %s was hit meanwhile (kill %d, %s)", pod, hit.Number, hit.Kind))
		}
		if pod := loadPodHit(m, hit); pod != "" {
			found = append(found, discrepancy(m.Name, "it is valid though load pod %s of this attempt was hit (kill %d, %s)", pod, hit.Number, hit.Kind))
		}
	}
	return found
}

// checkParts: of the last attempt each load pod is there once, and done.
func checkParts(m *v1beta1.Measurement) []Discrepancy {
	var found []Discrepancy
	of := 0
	for _, part := range m.Status.Parts {
		switch {
		case part.Attempt != m.Status.Attempt:
			found = append(found, discrepancy(m.Name, "it is valid at attempt %d with a part of attempt %d", m.Status.Attempt, part.Attempt))
		case part.State != v1beta1.PartDone:
			found = append(found, discrepancy(m.Name, "it is valid and its load pod %s is %s", part.Pod, part.State))
		default:
			of++
		}
	}
	if of != int(m.Spec.Pods) {
		found = append(found, discrepancy(m.Name, "it is valid with %d of %d load pods", of, m.Spec.Pods))
	}
	return found
}

// storePodHit is the pod of the store that ended while the load ran; empty where there was none. A hit whose end was not seen proves nothing.
func storePodHit(m *v1beta1.Measurement, hit Hit) string {
	if hit.Kind != schedule.StorePod && hit.Kind != schedule.Node || hit.After.IsZero() {
		return ""
	}
	begun, ended := measured(m)
	if hit.Before.Before(begun) || hit.After.After(ended) {
		return ""
	}
	for _, pod := range m.Status.StorePods {
		for _, dead := range hit.Pods {
			if dead.UID == pod.UID {
				return pod.Name
			}
		}
	}
	return ""
}

// loadPodHit is the load pod that ended before its log did.
func loadPodHit(m *v1beta1.Measurement, hit Hit) string {
	if hit.Kind != schedule.LoadPod && hit.Kind != schedule.Node || hit.After.IsZero() {
		return ""
	}
	for _, part := range m.Status.Parts {
		for _, dead := range hit.Pods {
			if dead.Name == part.Pod && (part.LastIntervalAt == nil || hit.After.Before(part.LastIntervalAt.Time)) {
				return part.Pod
			}
		}
	}
	return ""
}

// measured is from when to when all of the load that the figures are of ran: that of the whole phase, where servers took turns.
func measured(m *v1beta1.Measurement) (begun, ended time.Time) {
	for _, part := range m.Status.Parts {
		if part.FirstIntervalAt == nil || part.LastIntervalAt == nil {
			continue
		}
		if begun.IsZero() || part.FirstIntervalAt.Time.Before(begun) {
			begun = part.FirstIntervalAt.Time
		}
		if part.LastIntervalAt.Time.After(ended) {
			ended = part.LastIntervalAt.Time
		}
	}
	return begun, ended
}
