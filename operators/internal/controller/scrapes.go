package controller

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// notScraped is the message for a run that no Prometheus scraped.
const notScraped = "no load pod had been scraped when it delivered: if no Prometheus runs, the dashboards show nothing of this run (its figures do not depend on one)"

// unscraped reports whether none of the run's load pods was scraped, although they ran long enough in total that a
// Prometheus would have scraped them.
func unscraped(measurements map[string]*v1beta1.Measurement) bool {
	var loaded time.Duration
	for _, measurement := range measurements {
		conditions := measurement.Status.Conditions
		scraped := meta.FindStatusCondition(conditions, v1beta1.ConditionScraped)
		started, ended := meta.FindStatusCondition(conditions, v1beta1.ConditionStarted), meta.FindStatusCondition(conditions, v1beta1.ConditionFinished)
		switch {
		case scraped == nil || started == nil || ended == nil: // without a result
		case scraped.Status == "True":
			return false
		default:
			loaded += ended.LastTransitionTime.Sub(started.LastTransitionTime.Time)
		}
	}
	return loaded >= orders.DefaultLinger*time.Second
}
