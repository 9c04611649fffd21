package metrics

// Recording rules, per server: labels LabelExperiment, LabelRun, LabelStore, LabelServer, LabelOperation, and LabelKind
// for latencies.
const (
	RuleOpRate     = "server:ringside_load_operations:rate"
	RuleErrorRate  = "server:ringside_load_errors:rate"
	RuleLatencyP50 = "server:ringside_load_latency_seconds:p50"
	RuleLatencyP95 = "server:ringside_load_latency_seconds:p95"
	// RuleLatencyP999 is the 99.9th percentile.
	RuleLatencyP999 = "server:ringside_load_latency_seconds:p999"
	// RuleStoreNodesUp is per installation of a store: how many of its nodes answer.
	RuleStoreNodesUp = "release:ringside_store_up:sum"
)

// Alerts.
const (
	AlertExperimentStuck = "RingsideExperimentStuck"
	AlertLoadSaturated   = "RingsideLoadPodSaturated"
	AlertStoreNodeDown   = "RingsideStoreNodeDown"
)
