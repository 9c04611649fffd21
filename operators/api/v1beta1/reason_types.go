package v1beta1

// Reason is a machine-readable reason: one word of a closed list, next to a message for people.
//
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z]*$`
type Reason string

// Reasons for which a gate makes a measurement invalid or warns.
const (
	// GateOperationsFailed: more operations failed than are tolerated.
	GateOperationsFailed Reason = "OperationsFailed"
	// GateStoreRestarted: a store pod restarted, was replaced or was not ready during the phase, or a fault of the phase did not take effect.
	GateStoreRestarted Reason = "StoreRestarted"
	// GateStoreRestartedBefore: a store pod restarted between the previous measurement and this one.
	GateStoreRestartedBefore Reason = "StoreRestartedBefore"
	// GateLoadCPUSaturated: a load pod used nearly all CPU that it could get.
	GateLoadCPUSaturated Reason = "LoadCPUSaturated"
	// GateLoadCPUUnknown: the CPU use of a load pod is not known.
	GateLoadCPUUnknown Reason = "LoadCPUUnknown"
	// GateLoadWaited: the threads of a load pod waited too long for a core.
	GateLoadWaited Reason = "LoadWaited"
	// GateLoadWaitUnknown: the time for which a load pod waited for a core is not known.
	GateLoadWaitUnknown Reason = "LoadWaitUnknown"
	// GateTargetRateMissed: too little of the constant rate was answered.
	GateTargetRateMissed Reason = "TargetRateMissed"
	// GateTargetRateUnknown: the rate that was answered is not known.
	GateTargetRateUnknown Reason = "TargetRateUnknown"
	// GateLoadThrottled: a load pod was throttled by its CPU limit.
	GateLoadThrottled Reason = "LoadThrottled"
	// GateLoadThrottlingUnknown: the time for which a load pod was throttled by its CPU limit is not known.
	GateLoadThrottlingUnknown Reason = "LoadThrottlingUnknown"
	// GateStoreCPULimited: a LimitRange gave the store a CPU limit.
	GateStoreCPULimited Reason = "StoreCPULimited"
	// GateLoadOnStoreNode: a load pod ran on a node of the store.
	GateLoadOnStoreNode Reason = "LoadOnStoreNode"
	// GateNodesShared: a run of another namespace used the same nodes.
	GateNodesShared Reason = "NodesShared"
	// GateDiskNotSSD: a node of the store is not labelled as having an SSD.
	GateDiskNotSSD Reason = "DiskNotSSD"
	// GateLoadStartSkewed: load pods began too far apart.
	GateLoadStartSkewed Reason = "LoadStartSkewed"
	// GateLoadNeverTogether: there was no time in which all load pods drove load.
	GateLoadNeverTogether Reason = "LoadNeverTogether"
	// GateCompactionsPending: compactions were pending in the store when the phase began.
	GateCompactionsPending Reason = "CompactionsPending"
	// GateCompactionsUnknown: the store did not report its pending compactions when the phase began, and the gate is enforced, or they were known
	// before an earlier phase.
	GateCompactionsUnknown Reason = "CompactionsUnknown"
	// GateCompactionsLeft: compactions were pending at the end of the phase, so that figures of the store's disk use lack their work.
	GateCompactionsLeft Reason = "CompactionsLeft"
	// GateClocksDiffer: the clocks by which faults and the load are timed differ.
	GateClocksDiffer Reason = "ClocksDiffer"
	// GateClockUnknown: such a clock could not be compared with the API server's.
	GateClockUnknown Reason = "ClockUnknown"
	// GateTaskRepeated: a node of the store had carried out the phase's task of maintenance before.
	GateTaskRepeated Reason = "TaskRepeated"
	// GateStoreNodesDiffer: the servers had stores at the same time, on different nodes.
	GateStoreNodesDiffer Reason = "StoreNodesDiffer"
	// GateStoreCPUUnknown: the store's CPU time is not known of too many windows.
	GateStoreCPUUnknown Reason = "StoreCPUUnknown"
	// GateNothingFound: none of the queries of one kind found anything.
	GateNothingFound Reason = "NothingFound"
	// GateLittleFound: many queries of one kind found nothing.
	GateLittleFound Reason = "LittleFound"
	// GateFigureImpossible: a figure is no number, infinite or negative.
	GateFigureImpossible Reason = "FigureImpossible"
	// GateProofMissing: a store pod logged no proof.
	GateProofMissing Reason = "ProofMissing"
	// GateServerMismatch: a store pod proves another server.
	GateServerMismatch Reason = "ServerMismatch"
	// GateClassMismatch: a store pod runs another class.
	GateClassMismatch Reason = "ClassMismatch"
	// GatePortMismatch: the server listens on another port than the load was sent to.
	GatePortMismatch Reason = "PortMismatch"
	// GateSettingsUnknown: a store pod does not report a setting that the experiment sets.
	GateSettingsUnknown Reason = "SettingsUnknown"
	// GateSettingMismatch: a store pod runs with another value of a setting than the experiment sets.
	GateSettingMismatch Reason = "SettingMismatch"
	// GateImageMismatch: a store pod runs another image than was built.
	GateImageMismatch Reason = "ImageMismatch"
	// GatePluginMismatch: a store pod runs another plugin than was built.
	GatePluginMismatch Reason = "PluginMismatch"
	// GateBuildsDiffer: two store pods do not run the same build.
	GateBuildsDiffer Reason = "BuildsDiffer"
	// GateLoadImageMismatch: the load ran another image than was built.
	GateLoadImageMismatch Reason = "LoadImageMismatch"
	// GateLoadImagesDiffer: load pods ran different images.
	GateLoadImagesDiffer Reason = "LoadImagesDiffer"
	// GateLoadImageUnknown: no node reported which image the load ran.
	GateLoadImageUnknown Reason = "LoadImageUnknown"
	// GateStoreNodesMissing: the store had fewer pods than were requested.
	GateStoreNodesMissing Reason = "StoreNodesMissing"
	// GateOperationsLost: operations that were ordered were neither answered nor failed.
	GateOperationsLost Reason = "OperationsLost"
	// GateNothingAnswered: no operation was answered.
	GateNothingAnswered Reason = "NothingAnswered"
	// GateOperationsNotBegun: operations that were due never started.
	GateOperationsNotBegun Reason = "OperationsNotBegun"
	// GateLoadReportInconsistent: what a load pod reported contradicts itself.
	GateLoadReportInconsistent Reason = "LoadReportInconsistent"
	// GateIdleCPUUnknown: the CPU time of an idle store is not known.
	GateIdleCPUUnknown Reason = "IdleCPUUnknown"
	// GateCapacityUnknown: the load reported no search.
	GateCapacityUnknown Reason = "CapacityUnknown"
	// GateCapacityBelowRange: no rate that was tried met the objective.
	GateCapacityBelowRange Reason = "CapacityBelowRange"
	// GateCapacityAboveRange: every rate that was tried met the objective.
	GateCapacityAboveRange Reason = "CapacityAboveRange"
	// GateCapacityUnsettled: the search ran out of time before it settled.
	GateCapacityUnsettled Reason = "CapacityUnsettled"
	// GateQueueGrowthUndetected: the steps of the search are too short to detect a growing queue.
	GateQueueGrowthUndetected Reason = "QueueGrowthUndetected"
	// GateRecoveryUnknown: the load did not report the recovery.
	GateRecoveryUnknown Reason = "RecoveryUnknown"
	// GateDurabilityUnknown: the proof of the store does not state whether data survives a kill.
	GateDurabilityUnknown Reason = "DurabilityUnknown"
	// GateDataLost: acknowledged operations are lost that the store promises to keep.
	GateDataLost Reason = "DataLost"
	// GateDataLostAsStated: acknowledged operations are lost, as the proof of the store announces.
	GateDataLostAsStated Reason = "DataLostAsStated"
	// GateDataChanged: acknowledged operations differ from what was sent.
	GateDataChanged Reason = "DataChanged"
	// GateProfileIncomplete: a part of a profile is missing.
	GateProfileIncomplete Reason = "ProfileIncomplete"
	// GateForeignContainer: others added a container to the load pods.
	GateForeignContainer Reason = "ForeignContainer"
)

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
	// RefusedUnknownStore: no chart has the name of the store, or the registry has no chart with the digest.
	RefusedUnknownStore Reason = "UnknownStore"
	// RefusedChartNotAllowed: the operator does not install charts of that registry.
	RefusedChartNotAllowed Reason = "ChartNotAllowed"
	// RefusedChartUnavailable: the registry of the chart does not answer, denies access, or sends something else.
	RefusedChartUnavailable Reason = "ChartUnavailable"
	// RefusedKindNotAllowed: the chart has an object of a kind or a namespace that no store may have.
	RefusedKindNotAllowed Reason = "KindNotAllowed"
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
	// RefusedInvalidHosting: the store cannot be installed as the hosting says, or a phase does not fit the hosting.
	RefusedInvalidHosting Reason = "InvalidHosting"
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
)
