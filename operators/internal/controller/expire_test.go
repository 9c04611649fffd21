package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestOnlyWhatWasExportedWholeIsRemovedWhenItsTimeIsOver(t *testing.T) {
	hour := &metav1.Duration{Duration: time.Hour}
	at := func(t time.Time) map[string]string {
		return map[string]string{v1alpha1.AnnotationExportedAt: t.Format(time.RFC3339)}
	}
	for _, test := range []struct {
		name     string
		ttl      *metav1.Duration
		exported map[string]string
		want     step
	}{
		{"it stays where nothing bounds its time", nil, at(noon.Add(-2 * time.Hour)), nothing{}},
		{"it stays where it was never exported", hour, nil, nothing{}},
		{"it stays where nobody can tell when it was", hour, map[string]string{v1alpha1.AnnotationExportedAt: "today"}, nothing{}},
		{"it stays where it was exported before its end", hour, at(noon.Add(-4 * time.Hour)), nothing{}},
		{"it has its time from the export on", hour, at(noon.Add(-20 * time.Minute)), lookAgain{after: 40 * time.Minute}},
		{"it is removed when its time is over", hour, at(noon.Add(-time.Hour)), removeRun{}},
		{"it is removed once it is exported, where it has no time at all", &metav1.Duration{}, at(noon.Add(-3 * time.Hour)), removeRun{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newScene().with(func(o *observed) {
				// Shown to the second in the annotation, to more in the status.
				o.experiment.Status.FinishedAt = &metav1.Time{Time: noon.Add(-3*time.Hour + 300*time.Millisecond)}
				o.experiment.Spec.TTLAfterFinished, o.experiment.Annotations = test.ttl, test.exported
			})
			assert.Equal(t, test.want, nextStep(o.o))
		})
	}
}
