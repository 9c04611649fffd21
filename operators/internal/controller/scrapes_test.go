package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestARunSaysThatNobodyScrapedItWhereAPrometheusWouldHave(t *testing.T) {
	measured := func(length time.Duration, scraped metav1.ConditionStatus) *v1beta1.Measurement {
		at := func(kind string, status metav1.ConditionStatus, after time.Duration) metav1.Condition {
			return metav1.Condition{Type: kind, Status: status, LastTransitionTime: metav1.Time{Time: noon.Add(after)}}
		}
		return &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{Conditions: []metav1.Condition{
			at(v1beta1.ConditionStarted, "True", 0), at(v1beta1.ConditionFinished, "True", length), at(v1beta1.ConditionScraped, scraped, length)}}}
	}
	for name, test := range map[string]struct {
		measurements map[string]*v1beta1.Measurement
		unscraped    bool
	}{
		"nothing was measured":            {nil, false},
		"too short to tell":               {map[string]*v1beta1.Measurement{"a": measured(39*time.Second, "False")}, false},
		"long enough":                     {map[string]*v1beta1.Measurement{"a": measured(time.Minute, "False")}, true},
		"long enough together":            {map[string]*v1beta1.Measurement{"a": measured(20*time.Second, "False"), "b": measured(20*time.Second, "False")}, true},
		"one was scraped":                 {map[string]*v1beta1.Measurement{"a": measured(time.Hour, "False"), "b": measured(time.Second, "True")}, false},
		"by an operator that did not see": {map[string]*v1beta1.Measurement{"a": {Status: v1beta1.MeasurementStatus{Conditions: []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: "True"}}}}}, false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.unscraped, unscraped(test.measurements)) })
	}
}
