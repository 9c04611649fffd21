package metrics

// Metrics of the operator, with LabelExperiment and LabelRun.
const (
	// ExperimentState is 1 for the state (LabelState) an experiment is in and 0 for the others: one of the reasons of its
	// Progressing condition.
	ExperimentState = "ringside_experiment_state"
	// ExperimentAccepted is when the run was accepted, and ExperimentFinished when it ended.
	ExperimentAccepted = "ringside_experiment_accepted_timestamp_seconds"
	ExperimentFinished = "ringside_experiment_finished_timestamp_seconds"
	// ExperimentMeasurements counts a run's measurements by LabelOutcome.
	ExperimentMeasurements = "ringside_experiment_measurements"
	// ExperimentLastProgress is when something last came nearer to the end: a measurement finished, a store became
	// ready, a load pod answered more operations.
	ExperimentLastProgress = "ringside_experiment_last_progress_timestamp_seconds"
	// ExperimentBaseline is 1 for the server (LabelServer) that ratios are taken against and 0 for the run's others.
	ExperimentBaseline = "ringside_experiment_baseline"
	// ExperimentFault is when a node of the store was hit under a measurement of a run that has not ended, and when it was ready again, by
	// LabelEvent: with CellLabels, LabelMeasurement, LabelIndex, LabelFault and LabelNode. The moment is the value, since a scrape may come long
	// after it, or after both.
	ExperimentFault = "ringside_experiment_fault_timestamp_seconds"
)

// Labels of the metrics of experiments, and their values.
const (
	// LabelState of ExperimentState.
	LabelState = "state"
	// LabelOutcome of ExperimentMeasurements is one of the Outcome constants.
	LabelOutcome = "outcome"

	// LabelIndex of ExperimentFault is the fault's place in its phase's list, LabelFault its kind, LabelNode the node that was hit, and LabelEvent one
	// of the Fault constants.
	LabelIndex = "index"
	LabelFault = "fault"
	LabelNode  = "node"
	LabelEvent = "event"

	FaultHit   = "hit"
	FaultReady = "ready again"

	OutcomePlanned  = "planned"
	OutcomeFinished = "finished"
	OutcomeInvalid  = "invalid"
)
