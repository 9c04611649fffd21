package metrics

// Labels of the metrics of a load pod. None of them names a pod: all pods of a measurement have the same.
const (
	LabelExperiment = "experiment"
	LabelRun        = "run"
	LabelStore      = "store"
	LabelServer     = "server"
	LabelOperation  = "operation"
	LabelPhase      = "phase"
	LabelRound      = "round"
	LabelRepeat     = "repeat"
	// LabelKind is service, response or wait; of LoadErrors one of v1beta1.ErrorKinds.
	LabelKind = "kind"
	// LabelQuantile is one of Quantiles' keys.
	LabelQuantile = "quantile"
	// LabelServerType, LabelConsistency, LabelMeasurement and LabelAttempt are on LoadPhaseInfo only, and LabelMeasurement on ExperimentFault.
	LabelServerType  = "server_type"
	LabelConsistency = "consistency"
	LabelMeasurement = "measurement"
	LabelAttempt     = "attempt"
)

// CellLabels name one cell of an experiment's plan, in the order in which meter gives their values.
func CellLabels() []string {
	return []string{LabelExperiment, LabelRun, LabelStore, LabelServer, LabelOperation, LabelPhase, LabelRound, LabelRepeat}
}

// Metrics of a load pod, served by meter. All have CellLabels.
const (
	// LoadOperations counts answered operations.
	LoadOperations = "ringside_load_operations_total"
	// LoadErrors counts operations the load tool gave up, per kind of error. A tool tells them at the end of a phase.
	LoadErrors = "ringside_load_errors_total"
	// LoadLatency is a native histogram per kind of latency.
	LoadLatency = "ringside_load_latency_seconds"
	// LoadIntervalLatency is the latency of the last LoadWindowSeconds at each of Quantiles, per kind.
	LoadIntervalLatency = "ringside_load_interval_latency_seconds"
	// LoadActiveSeconds is the time from the first interval's start to the last one's end. Operations over it are the op rate.
	LoadActiveSeconds = "ringside_load_active_seconds"
	// LoadTargetRate is the constant rate asked for; 0 is closed-loop.
	LoadTargetRate = "ringside_load_target_operations_per_second"
	// LoadThreads of the pod.
	LoadThreads = "ringside_load_threads"
	// LoadPhaseInfo is 1 and carries what else is known of the phase.
	LoadPhaseInfo = "ringside_load_phase_info"
	// LoadPhaseActive is 1 while the load runs, 0 before and after.
	LoadPhaseActive = "ringside_load_phase_active"
	// LoadCPUUsedRatio is the part of the CPU that the container could get and used, over the last LoadWindowSeconds.
	LoadCPUUsedRatio = "ringside_load_cpu_used_ratio"
	// LoadThrottledSeconds is the time the container was held back by its CPU limit.
	LoadThrottledSeconds = "ringside_load_cpu_throttled_seconds_total"
)

// LoadWindowSeconds is the time that gauges of the latest latency and CPU usage look back.
const LoadWindowSeconds = 5

// Quantile is a value of LabelQuantile with the percentile it stands for.
type Quantile struct {
	Label      string
	Percentile float64
}

// Quantiles of LoadIntervalLatency.
func Quantiles() []Quantile {
	return []Quantile{{"0.5", 50}, {"0.95", 95}, {"0.99", 99}, {"0.999", 99.9}, {"max", 100}}
}
