package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/document"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/progress"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Pair is a name with its value.
type Pair struct{ Name, Value string }

func (b *builder) head() {
	p, e := b.page, b.run.Experiment
	if len(b.run.Rows) > 0 {
		if at := b.run.Rows[0].StartedAt; !at.IsZero() {
			p.Started = at.UTC().Format("2006-01-02 15:04:05 UTC")
		}
	}
	if e == nil {
		p.State = "not known: the experiment's manifest is missing"
		return
	}
	p.Description = e.Spec.Description
	p.Command = e.Annotations[runs.AnnotationCommand]
	if e.Annotations[document.AnnotationNotForMeasurement] == "true" {
		p.Warnings = append(p.Warnings, "Not for measurement: this run shows that the parts work together. Its figures mean nothing.")
	}
	for line := range strings.SplitSeq(e.Annotations[runs.AnnotationNote], "\n") {
		if line != "" && !strings.HasPrefix(line, "not for measurement") {
			p.Notes = append(p.Notes, line)
		}
	}
	outcome, message := progress.End(e)
	switch outcome {
	case progress.Complete:
		p.State = "complete: " + cmp.Or(message, textfmt.Count(len(b.run.Rows), "measurement"))
	case progress.Failed:
		p.State = fmt.Sprintf("failed after %d of %d measurements: %s", len(b.run.Rows), e.Status.Planned, message)
		p.Warnings = append(p.Warnings, "The run "+p.State+". What was finished is below.")
	default:
		p.State = fmt.Sprintf("not finished: %d of %d measurements", len(b.run.Rows), e.Status.Planned)
		p.Warnings = append(p.Warnings, "The run was "+p.State+" when this was written.")
	}
	spec := &e.Spec
	p.Plan = append(p.Plan, Pair{"store", spec.Store.Chart + ", hosting: " + string(spec.Store.Hosting)},
		Pair{"rounds", fmt.Sprintf("%d, of which %d to warm up%s%s", spec.Rounds, spec.WarmupRounds, plan.OnEach(spec), precision.Until(spec))},
		Pair{"load", fmt.Sprintf("%s, pods: %d", loadImages(spec), spec.Load.Pods)}, Pair{"keys", strconv.FormatInt(spec.KeyCount(), 10)})
	if profile := e.Annotations[runs.AnnotationProfile]; profile != "" {
		p.Plan = append(p.Plan, Pair{"profile", profile})
	}
	if changes := e.Annotations[runs.AnnotationChanges]; changes != "" {
		p.Plan = append(p.Plan, Pair{"changed fields", strings.ReplaceAll(changes, "\n", "; ")})
	}
	if spec.Store.Values != nil {
		p.Plan = append(p.Plan, Pair{"store values", string(spec.Store.Values.Raw)})
	}
	if e.Status.Seed != nil {
		p.Plan = append(p.Plan, Pair{"seed of the order", strconv.FormatInt(*e.Status.Seed, 10)})
	}
}

// loadImages of all phases, each once.
func loadImages(spec *v1beta1.ExperimentSpec) string {
	var images []string
	for _, phase := range spec.Phases {
		if image := spec.LoadImage(phase); !slices.Contains(images, image) {
			images = append(images, image)
		}
	}
	return strings.Join(images, ", ")
}
