package compare

import (
	"math"

	"ringside.dev/ringside/operators/internal/published"
)

// isAA says that the other arm is the base under a second name: the same type, and no values or options of its own.
func isAA(base, other Arm) bool {
	if base.Run != other.Run || base.Server == other.Server {
		return false
	}
	if experiment := base.Run.Experiment; experiment != nil {
		for _, server := range experiment.Spec.Servers {
			if (server.Name == base.Server || server.Name == other.Server) && (server.Values != nil || len(server.Options) > 0) {
				return false
			}
		}
	}
	return typeOf(base) != "" && typeOf(base) == typeOf(other)
}

func typeOf(arm Arm) string {
	_, serverType := arm.kind()
	return serverType
}

// kind is the store and the server type of an arm.
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

// published is what published figures of an arm in a phase are sought for.
func (arm Arm) published(cell Cell) published.Subject {
	store, serverType := arm.kind()
	return published.Subject{Store: store, Server: arm.Server, Type: serverType, Phase: cell.Phase, Operation: cell.Operation, AtRate: cell.TargetRate > 0}
}
