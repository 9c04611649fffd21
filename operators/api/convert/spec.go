package convert

import "k8s.io/apimachinery/pkg/runtime"

// sweep is the table of v1beta1 that has a phase's sweeps.
const sweep = "sweep"

// highestSeed is the highest seed of v1beta1.
const highestSeed = 1<<53 - 1

// specFields are the fields of a spec that differ, each with its conversion. One field does not depend on another, so that each can be restored by
// itself.
var specFields = map[string]codec{
	"phases": listOf(phase),
	"gates":  tableOf(gateFields),
	"seed":   seed,
}

var gateFields = fields{
	{"errorsMaxPermille", "errorsMax", permille},
	{"loadCPUMaxPermille", "loadCPUMax", somePermille},
	{"loadWaitMaxPermille", "loadWaitMax", somePermille},
	{"targetRateMinPermille", "targetRateMin", somePermille},
	{"throttlingMaxPermille", "throttlingMax", somePermille},
	{"startSkewLimit", "startSkewMax", unchanged},
}

var phaseFields = fields{
	{"targetOpsPerSecond", "targetRate", some},
	{"connections", "connections", some},
	{"sweepThreads", "sweep.threads", some},
	{"sweepConnections", "sweep.connections", some},
	{"sweepRates", "sweep.rates", some},
	{"profile", "profile", events.list},
	{"faults", "faults", faults},
	{"capacity.bound", "capacity.bound", some},
	{"capacity.to", "capacity.to", some},
	{"capacity.failedMaxPermille", "capacity.failedMax", permille},
	{"capacity.precisionPermille", "capacity.precision", somePermille},
}

var faultFields = fields{
	{"kind", "kind", kinds.word},
	{"percent", "share", percent},
}

var statusFields = fields{
	{"units.latency", "units.latency", units.word},
	{"precision.widestPercent", "precision.widest", percentText},
}

// seed is the codec of the random order's seed. v1beta1 has no negative ones, and none that is not exact as a floating-point number.
func seed(value any, _ direction) (any, bool) {
	number, is := value.(int64)
	return value, is && number >= 0 && number <= highestSeed
}

func faults(value any, way direction) (any, bool) {
	if way == toBeta && zero(value) {
		return nil, false
	}
	return listOf(func(fault map[string]any, way direction) { faultFields.convert(fault, way) })(value, way)
}

// tableOf returns the codec of a table.
func tableOf(of fields) codec {
	return func(value any, way direction) (any, bool) {
		table, is := value.(map[string]any)
		if !is {
			return value, true
		}
		out := runtime.DeepCopyJSON(table)
		of.convert(out, way)
		return out, true
	}
}

// listOf returns the codec of a list of tables, each of which convert changes in place.
func listOf(convert func(table map[string]any, way direction)) codec {
	return func(value any, way direction) (any, bool) {
		list, is := value.([]any)
		if !is {
			return value, true
		}
		out := make([]any, len(list))
		for i, element := range list {
			out[i] = runtime.DeepCopyJSONValue(element)
			if table, is := out[i].(map[string]any); is {
				convert(table, way)
			}
		}
		return out, true
	}
}
