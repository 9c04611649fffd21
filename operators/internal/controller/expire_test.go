package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestOnlyWhatWasExportedWholeIsRemovedWhenItsTimeIsOver(t *testing.T) {
	hour := &metav1.Duration{Duration: time.Hour}
	end := noon.Add(-3*time.Hour + 300*time.Millisecond) // the annotation has whole seconds, the status a fraction
	exportOf := func(end time.Time) map[string]string {
		return map[string]string{v1beta1.AnnotationExportedEnd: v1beta1.ExportMark(metav1.NewTime(end))}
	}
	seen := func(ago time.Duration) *metav1.Time { return &metav1.Time{Time: noon.Add(-ago)} }
	for _, test := range []struct {
		name   string
		ttl    *metav1.Duration
		marks  map[string]string
		seenAt *metav1.Time
		want   step
	}{
		{"it stays where nothing bounds its time", nil, exportOf(end), nil, nothing{}},
		{"it stays where it was never exported", hour, nil, nil, nothing{}},
		{"it stays where the mark is no time", hour, map[string]string{v1beta1.AnnotationExportedEnd: "today"}, nil, nothing{}},
		{"it stays where it was exported before its end", hour, exportOf(end.Add(-time.Second)), nil, nothing{}},
		{"it stays where the mark is of a later end than its own", hour, exportOf(end.Add(time.Hour)), seen(2 * time.Hour), nothing{}},
		{"its time begins when the export is seen, whatever the exporter's clock", hour, exportOf(end.In(time.FixedZone("", 3600))), nil, noteExport{}},
		{"it has its time from then on", hour, exportOf(end), seen(20 * time.Minute), lookAgain{after: 40 * time.Minute}},
		{"it is removed when its time is over", hour, exportOf(end), seen(time.Hour), removeRun{}},
		{"it is removed once it is exported, where it has no time at all", &metav1.Duration{}, exportOf(end), seen(0), removeRun{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := newScene().with(func(o *observed) {
				o.experiment.Finalizers = nil
				o.experiment.Status.FinishedAt, o.experiment.Status.ExportedAt = &metav1.Time{Time: end}, test.seenAt
				o.experiment.Spec.TTLAfterFinished, o.experiment.Annotations = test.ttl, test.marks
			})
			assert.Equal(t, test.want, nextStep(o.o))
		})
	}
}
