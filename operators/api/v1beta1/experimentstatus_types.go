package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Condition types of an Experiment.
const (
	// ConditionAccepted is true once the spec has passed all checks.
	ConditionAccepted = "Accepted"
	// ConditionStoreReady is true while a store is installed and answers.
	ConditionStoreReady = "StoreReady"
	// ConditionProgressing is true from acceptance until the end. Its reason is the current activity.
	ConditionProgressing = "Progressing"
	// ConditionComplete is true when all measurements were taken, or enough of them; its reason distinguishes the two.
	ConditionComplete = "Complete"
	// ConditionSucceeded is the result of a run, for clients that wait for its end. It is set once the run has ended and its store is removed:
	// true if the run is Complete, false if it Failed, with the reason of that condition.
	ConditionSucceeded = "Succeeded"
	// ConditionFailed is true when the run ended early. Its message has the cause and the fix.
	ConditionFailed = "Failed"
)

// Reasons of an Experiment's conditions. Progressing has one of the first group; Failed has one of the last.
const (
	ReasonAccepted        = "Accepted"        // the spec has passed all checks; the run begins
	ReasonQueued          = "Queued"          // another run of the namespace is ahead
	ReasonSuspended       = "Suspended"       // the run waits before its next phase (spec.suspend)
	ReasonInstallingStore = "InstallingStore" // the chart of the store is being installed
	ReasonAwaitingStore   = "AwaitingStore"   // the store does not answer yet, or has not proved its servers
	ReasonMeasuring       = "Measuring"       // a phase is under way
	ReasonRemovingStore   = "RemovingStore"   // the store is being removed
	ReasonFinished        = "Finished"        // the run has come to its end
	ReasonFailed          = "Failed"          // the run has ended early; the condition Failed has the cause

	ReasonStoreAnswers = "Answers"    // the store answers and has proved its servers
	ReasonStoreRemoved = "Removed"    // the store is removed
	ReasonNotScraped   = "NotScraped" // no measurement was scraped, although there was time for it

	// ReasonPrecisionReached: the intervals of all primary metrics reached the precision before the last round.
	ReasonPrecisionReached = "PrecisionReached"
	// ReasonBudgetUsed: the budget was used before the last round.
	ReasonBudgetUsed = "BudgetUsed"

	// ReasonRefused: the operator cannot run the spec; nothing was started. The condition Accepted has the reason.
	ReasonRefused = "Refused"
	// ReasonStoreFailed: the store could not be installed, or did not become ready.
	ReasonStoreFailed = "StoreFailed"
	// ReasonStoreLost: the store and its data disappeared during the run.
	ReasonStoreLost = "StoreLost"
	// ReasonVariantUnproved: the store's log does not prove that it runs the requested servers.
	ReasonVariantUnproved = "VariantUnproved"
	// ReasonAPIRefused: the API server permanently rejects an object that the run needs.
	ReasonAPIRefused = "APIRefused"
	// ReasonLoadFailed: the load tool failed in every attempt, or could not be started.
	ReasonLoadFailed = "LoadFailed"
)

// ExperimentStatus is the progress of a run.
type ExperimentStatus struct {
	// ObservedGeneration is the generation of the spec that the status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions are Accepted, StoreReady, Progressing, Complete, Failed, Succeeded and Scraped.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Seed is the seed of the random order, fixed when the run begins.
	// +optional
	Seed *int64 `json:"seed,omitempty"`
	// Planned is the number of planned measurements.
	// +optional
	Planned int32 `json:"planned,omitempty"`
	// Finished is the number of finished measurements.
	// +optional
	Finished int32 `json:"finished,omitempty"`
	// Invalid is the number of finished measurements that are invalid.
	// +optional
	Invalid int32 `json:"invalid,omitempty"`
	// Precision is the precision reached by the finished rounds, if the spec sets one. It is computed after each round.
	// +optional
	Precision *PrecisionStatus `json:"precision,omitempty"`
	// Current is the measurement under way, or another activity between measurements.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Current string `json:"current,omitempty"`
	// Store is the store that is currently installed.
	// +optional
	Store *StoreStatus `json:"store,omitempty"`
	// OnNodes are the nodes of the pods of its current or last store, and of that store's loads. Operators of other namespaces detect shared
	// nodes by them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=5000
	// +kubebuilder:validation:items:MaxLength=253
	OnNodes []string `json:"onNodes,omitempty"`
	// Units are the units of operations and latencies in output for people, as the store's chart defines them.
	// +optional
	Units *Units `json:"units,omitempty"`
	// StartedAt is when the run started: accepted, with no other run of the namespace before it.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// FinishedAt is when the run ended and its store was removed. The run does not change after this.
	// +optional
	FinishedAt *metav1.Time `json:"finishedAt,omitempty"`
	// ExportedAt is when the operator saw that the finished run was completely exported. Only a run with spec.ttlAfterFinished has it.
	// +optional
	ExportedAt *metav1.Time `json:"exportedAt,omitempty"`
}

// LatencyUnit is the unit in which latencies are shown.
// +kubebuilder:validation:Enum=Milliseconds;Microseconds
type LatencyUnit string

const (
	// LatencyMillis is milliseconds.
	LatencyMillis LatencyUnit = "Milliseconds"
	// LatencyMicros is microseconds.
	LatencyMicros LatencyUnit = "Microseconds"
)

// Units are the units of tables, reports and progress lines. Measurements and CSV files always have milliseconds.
type Units struct {
	// Operations is the plural name of the store's operations: requests, packets, transactions. Default: operations.
	// +optional
	// +kubebuilder:validation:Pattern=`^([a-z]([a-z -]{0,29}[a-z])?)?$`
	// +kubebuilder:validation:MaxLength=31
	Operations string `json:"operations,omitempty"`
	// Latency is the unit of latencies. Default: Milliseconds.
	// +optional
	Latency LatencyUnit `json:"latency,omitempty"`
}

// PrecisionStatus is the precision of a run after a round, and whether the run ends there.
type PrecisionStatus struct {
	// Rounds is the number of finished rounds, including warm-up rounds.
	// +required
	Rounds int32 `json:"rounds"`
	// Widest is the half-width of the primary interval that is the widest in relation to the precision of its phase, as in 2.5%. It is empty
	// while an interval is unknown. At names its server and load.
	// +optional
	// +kubebuilder:validation:MaxLength=65
	// +kubebuilder:validation:Pattern=`^-?[0-9]+(\.[0-9]+)?%$`
	Widest string `json:"widest,omitempty"`
	// WidestTime takes the place of widest if that interval is one of differences.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	WidestTime *metav1.Duration `json:"widestTime,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=200
	At string `json:"at,omitempty"`
	// Used is the time that the rounds have taken so far.
	// +required
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	Used metav1.Duration `json:"used"`
	// Reason is why the run ends after these rounds: PrecisionReached or BudgetUsed. Empty while the run continues.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`
	// Settled are the phases that have reached their precision. They are left out of later rounds, and stay so.
	// +optional
	// +listType=map
	// +listMapKey=phase
	// +kubebuilder:validation:MaxItems=16
	Settled []SettledPhase `json:"settled,omitempty"`
}

// SettledPhase is a phase that has reached its precision before the end of the run.
type SettledPhase struct {
	// Phase is its name.
	// +required
	// +kubebuilder:validation:MaxLength=21
	Phase string `json:"phase"`
	// Rounds is the number of its rounds, including warm-up rounds. It is not measured in later ones.
	// +required
	Rounds int32 `json:"rounds"`
}

// StoreStatus is the installed store, as proved by its log.
type StoreStatus struct {
	// Release is the name of the installation.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Release string `json:"release"`
	// Round is the round that the store was installed for (Dedicated), else 0.
	// +required
	Round int32 `json:"round"`
	// Releases are its Helm releases: one or, side by side, one for each server.
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Releases []StoreRelease `json:"releases"`
	// InstalledAt is when the installation began.
	// +required
	InstalledAt metav1.Time `json:"installedAt"`
	// Nodes is the requested number of store pods. Measurements of fewer pods are invalid.
	// +optional
	Nodes int32 `json:"nodes,omitempty"`
	// ReadyAt is when the store first answered.
	// +optional
	ReadyAt *metav1.Time `json:"readyAt,omitempty"`
	// Pods are the pods whose logs have the proofs, with UID and restart count at that time.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=1024
	Pods []StorePod `json:"pods,omitempty"`
	// Proofs are the proofs of the servers, one per server and store pod.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16384
	Proofs []Proof `json:"proofs,omitempty"`
}

// StoreRelease is a Helm release of an installed store.
type StoreRelease struct {
	// Name of the release.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
	// Servers are the names of the servers that it hosts.
	// +required
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=31
	Servers []string `json:"servers"`
	// Built describes the build of the store's image, as the operator knew it at installation. The running variant is verified against it.
	// Empty: unknown.
	// +optional
	Built *Build `json:"built,omitempty"`
}

// ReleaseNames returns the names of the store's releases.
func (s *StoreStatus) ReleaseNames() []string {
	names := make([]string, len(s.Releases))
	for i, release := range s.Releases {
		names[i] = release.Name
	}
	return names
}

// Built returns the build of a release, as the operator knew it at installation; nil if it is unknown.
func (s *StoreStatus) Built(release string) *Build {
	for i := range s.Releases {
		if s.Releases[i].Name == release {
			return s.Releases[i].Built
		}
	}
	return nil
}
