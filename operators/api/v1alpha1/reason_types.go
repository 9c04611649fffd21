package v1alpha1

// Reason is a machine-readable reason: one word of a closed list, next to a message for people.
//
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z]*$`
type Reason string

// Reasons for which an experiment is refused.
const (
	// RefusedInvalidField: a field is unknown, or its value does not fit the schema and the rules of the custom resource.
	RefusedInvalidField Reason = "InvalidField"
	// RefusedInvalidName: the name of the experiment or the run cannot be a label.
	RefusedInvalidName Reason = "InvalidName"
	// RefusedNamesCollide: two measurements or stores would have the same name.
	RefusedNamesCollide Reason = "NamesCollide"
	// RefusedTooManyMeasurements: the run would have more measurements than a cluster can hold.
	RefusedTooManyMeasurements Reason = "TooManyMeasurements"
	// RefusedTooManyLogs: the run would have more logs of load pods than a cluster can hold.
	RefusedTooManyLogs Reason = "TooManyLogs"
	// RefusedUnknownStore: no chart has the name of the store.
	RefusedUnknownStore Reason = "UnknownStore"
	// RefusedUnknownServer: the store has no such server, or there is none at all.
	RefusedUnknownServer Reason = "UnknownServer"
	// RefusedUnknownBaseline: the baseline is not one of the servers.
	RefusedUnknownBaseline Reason = "UnknownBaseline"
	// RefusedInvalidInstance: the store cannot host a server with options or an instance of its own.
	RefusedInvalidInstance Reason = "InvalidInstance"
	// RefusedSingleConnection: a server that serves one connection at a time would have several.
	RefusedSingleConnection Reason = "SingleConnection"
	// RefusedExclusiveServer: a server that keeps cores busy while it is idle would share its store.
	RefusedExclusiveServer Reason = "ExclusiveServer"
	// RefusedInvalidValues: the chart values do not fit the store's chart.
	RefusedInvalidValues Reason = "InvalidValues"
	// RefusedContractViolated: the store's chart does not follow the store contract.
	RefusedContractViolated Reason = "ContractViolated"
	// RefusedPortMissing: a phase needs a port that the store's pods do not have.
	RefusedPortMissing Reason = "PortMissing"
	// RefusedTooFewNodes: the cluster has too few nodes for the store's pods.
	RefusedTooFewNodes Reason = "TooFewNodes"
	// RefusedInvalidLoad: the settings of the load pods, or the parameters of the load, are not valid.
	RefusedInvalidLoad Reason = "InvalidLoad"
	// RefusedUnsupportedByLoad: the load does not support what a phase asks of it.
	RefusedUnsupportedByLoad Reason = "UnsupportedByLoad"
	// RefusedInvalidTime: a time is not a whole number of its unit.
	RefusedInvalidTime Reason = "InvalidTime"
	// RefusedInvalidMargin: the margin of equivalence is not a share.
	RefusedInvalidMargin Reason = "InvalidMargin"
	// RefusedInvalidMetric: a phase cannot have the primary metric.
	RefusedInvalidMetric Reason = "InvalidMetric"
	// RefusedInvalidInstallations: the number of installations does not fit the hosting.
	RefusedInvalidInstallations Reason = "InvalidInstallations"
	// RefusedInvalidPrecision: precision, budget and rounds do not fit each other or the experiment.
	RefusedInvalidPrecision Reason = "InvalidPrecision"
	// RefusedInvalidPhase: the operations, duration, threads or sweeps of a phase are missing or do not fit each other.
	RefusedInvalidPhase Reason = "InvalidPhase"
	// RefusedInvalidInterleave: a phase cannot be interleaved, or not in such windows.
	RefusedInvalidInterleave Reason = "InvalidInterleave"
	// RefusedInvalidCapacity: a phase cannot search for a capacity, or not in this way.
	RefusedInvalidCapacity Reason = "InvalidCapacity"
	// RefusedInvalidIdle: a phase cannot be idle.
	RefusedInvalidIdle Reason = "InvalidIdle"
	// RefusedInvalidRecovery: a phase cannot kill the store, or not at this time.
	RefusedInvalidRecovery Reason = "InvalidRecovery"
	// RefusedInvalidFault: a fault cannot be injected or measured.
	RefusedInvalidFault Reason = "InvalidFault"
	// RefusedInvalidProfile: a phase cannot be profiled.
	RefusedInvalidProfile Reason = "InvalidProfile"
)
