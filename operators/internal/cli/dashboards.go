package cli

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"ringside.dev/ringside/dashboards/tags"
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/installation"
)

// afterEnd is how long after the end of a run Prometheus has its last samples.
const afterEnd = time.Minute

// links returns lines that open Grafana's dashboards: those of the latest run in its own time range, and those of many runs.
func links(address string, dashboards []installation.Dashboard, experiments []v1beta1.Experiment) []string {
	var many, ofRun []string
	var latest *v1beta1.Experiment
	if len(experiments) > 0 {
		newest := slices.MaxFunc(experiments, func(a, b v1beta1.Experiment) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
		latest = &newest
	}
	for _, dashboard := range dashboards {
		line := fmt.Sprintf("  %-18s http://%s/d/%s", dashboard.Title, address, dashboard.UID)
		switch {
		case slices.Contains(dashboard.Tags, tags.History):
			many = append(many, line)
		case latest != nil && tags.For(dashboard.Tags, latest.Spec.Store.Name()):
			ofRun = append(ofRun, line+"?"+rangeOf(latest).Encode())
		}
	}
	if len(ofRun) > 0 {
		ofRun = append([]string{fmt.Sprintf("run %s of %s:", latest.RunID(), latest.DocumentName())}, ofRun...)
	}
	if len(many) > 0 {
		many = append([]string{"all runs:"}, many...)
	}
	return append(ofRun, many...)
}

// rangeOf returns the parameters that select a run in its own time range. The range of a run that has not ended grows.
func rangeOf(experiment *v1beta1.Experiment) url.Values {
	until := "now"
	if finished := experiment.Status.FinishedAt; finished != nil {
		until = fmt.Sprint(finished.Add(afterEnd).UnixMilli())
	}
	return url.Values{
		"from": {fmt.Sprint(experiment.CreationTimestamp.UnixMilli())}, "to": {until},
		"var-experiment": {experiment.DocumentName()}, "var-run": {experiment.RunID()},
	}
}
