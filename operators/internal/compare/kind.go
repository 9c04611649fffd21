package compare

import (
	"math"

	"ringside.dev/ringside/operators/internal/compare/published"
)

// isAA reports whether the other arm is the baseline under a second name: it has the same type and chart, and either neither arm has values or
// options, or both ran with the same settings.
func isAA(base, other Arm) bool {
	if base.Run != other.Run || base.Server == other.Server || typeOf(base) == "" || typeOf(base) != typeOf(other) {
		return false
	}
	one, _ := base.spec()
	two, _ := other.spec()
	if one.Chart != two.Chart {
		return false
	}
	return !askedToDiffer(base, other) || ranAlike(base, other)
}

// askedToDiffer reports whether one of two arms sets values or options.
func askedToDiffer(base, other Arm) bool {
	for _, arm := range []Arm{base, other} {
		if server, known := arm.spec(); known && (server.Values != nil || len(server.Options) > 0) {
			return true
		}
	}
	return false
}

func typeOf(arm Arm) string {
	_, serverType := arm.kind()
	return serverType
}

// kind returns the store and the server type of an arm.
func (arm Arm) kind() (store, serverType string) {
	for _, row := range arm.Run.Rows {
		if row.Server == arm.Server {
			return row.Store, row.ServerType
		}
	}
	return "", ""
}

func publishedRatio(base, other Arm, cell Cell, metric Metric) float64 {
	ratio, there := published.Ratio(other.published(cell), base.published(cell), metric.Name)
	if !there {
		return math.NaN()
	}
	return ratio
}

// published returns the subject to look up published figures of an arm in a phase for.
func (arm Arm) published(cell Cell) published.Subject {
	store, serverType := arm.kind()
	return published.Subject{Store: store, Server: arm.Server, Type: serverType, Phase: cell.Phase, Operation: cell.Operation, AtRate: cell.TargetRate > 0}
}
