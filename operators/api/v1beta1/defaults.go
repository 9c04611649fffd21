package v1beta1

import (
	"cmp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
)

// The defaults of a spec, in one place for operator, command line and report.

// ServerType returns the server's type: type, else name.
func (s ServerSpec) ServerType() string {
	if s.Type != "" {
		return s.Type
	}
	return s.Name
}

// InstanceName returns the store's name for a separate instance: a name that begins with its type. It is empty for a server that shares the
// instance of its type.
func (s ServerSpec) InstanceName() string {
	prefix := s.ServerType() + "-"
	switch {
	case !s.OwnInstance && len(s.Options) == 0:
		return ""
	case strings.HasPrefix(s.Name, prefix):
		return s.Name
	}
	return prefix + s.Name
}

// HostedAs returns the store's name for the server.
func (s ServerSpec) HostedAs() string { return hostedAs(s.ServerType(), s.InstanceName()) }

// HostedAs returns the store's name for the measured server.
func (s MeasurementSpec) HostedAs() string { return hostedAs(s.ServerType, s.Instance) }

func hostedAs(serverType, instance string) string {
	if instance != "" {
		return instance
	}
	return serverType
}

// OperationName returns the operation of the phase: operation, else name.
func (p PhaseSpec) OperationName() string {
	if p.Operation != "" {
		return p.Operation
	}
	return p.Name
}

// Lasts returns the duration of the phase; 0 if its operations bound it.
func (p PhaseSpec) Lasts() time.Duration {
	if p.Duration == nil {
		return 0
	}
	return p.Duration.Duration
}

// LoadImage returns the load image of the phase.
func (s ExperimentSpec) LoadImage(phase PhaseSpec) string {
	if phase.Image != "" {
		return phase.Image
	}
	return s.Load.Image
}

// PodCount returns the number of load pods of a phase. An idle phase has one, which reads the counters; a phase with recovery has one, which
// kills the store.
func (s ExperimentSpec) PodCount(phase PhaseSpec) int32 {
	if phase.Type == PhaseIdle || phase.Recovery != nil {
		return 1
	}
	return s.Load.Pods
}

// OperationCount returns the phase's number of operations over all load pods; 0 if a duration bounds it.
func (s ExperimentSpec) OperationCount(phase PhaseSpec) int64 {
	switch {
	case phase.Duration != nil:
		return 0
	case phase.Operations != nil:
		return *phase.Operations
	case s.Operations != nil:
		return *s.Operations
	}
	return 0
}

// KeyCount returns the number of keys in the store: keys, else operations, else the operations of the largest phase.
func (s ExperimentSpec) KeyCount() int64 {
	if s.Keys != nil {
		return *s.Keys
	}
	if s.Operations != nil {
		return *s.Operations
	}
	keys := int64(1)
	for _, phase := range s.Phases {
		keys = max(keys, s.OperationCount(phase))
	}
	return keys
}

// InstallationCount returns how often a shared store is installed.
func (s ExperimentSpec) InstallationCount() int32 { return max(s.Installations, 1) }

// PrecisionOf returns the precision that is requested of a phase: its own, else the experiment's. It is empty in a run without precision.
func (s ExperimentSpec) PrecisionOf(phase PhaseSpec) string {
	if s.Precision == "" || phase.Precision == "" {
		return s.Precision
	}
	return phase.Precision
}

// StopsByItself reports whether the run may end before its last round.
func (s ExperimentSpec) StopsByItself() bool { return s.Precision != "" }

// Enough reports whether the run has reached its precision or budget and ends after its finished rounds.
func (s ExperimentStatus) Enough() bool { return s.Precision != nil && s.Precision.Reason != "" }

// BaselineName returns the server that the others are compared with.
func (s ExperimentSpec) BaselineName() string {
	if s.Baseline != "" || len(s.Servers) == 0 {
		return s.Baseline
	}
	return s.Servers[0].Name
}

// DocumentName returns the experiment's name: the label, or the object's name.
func (e *Experiment) DocumentName() string {
	if name := e.Labels[LabelExperiment]; name != "" {
		return name
	}
	return e.Name
}

// RunID returns the run's identifier: the label, or the object's creation time in UTC.
func (e *Experiment) RunID() string {
	if run := e.Labels[LabelRun]; run != "" {
		return run
	}
	return e.CreationTimestamp.UTC().Format(RunIDLayout)
}

// Finished reports whether the measurement has its final result, valid or not, or no attempts left.
func (m *Measurement) Finished() bool {
	return meta.IsStatusConditionTrue(m.Status.Conditions, ConditionFinished)
}

// CurrentParts returns the parts of the measurement's current or last attempt.
func (m *Measurement) CurrentParts() []Part {
	var parts []Part
	for _, part := range m.Status.Parts {
		if part.Attempt == m.Status.Attempt {
			parts = append(parts, part)
		}
	}
	return parts
}

// RunIDLayout is the time layout of a run's identifier: its start in UTC.
const RunIDLayout = "20060102-150405"

// Or returns the mode, or the default if it is empty.
func (m GateMode) Or(fallback GateMode) GateMode {
	if m == "" {
		return fallback
	}
	return m
}

// Default limits of gates.
const (
	defaultLoadCPUMax    PositiveShare = "95%"
	defaultLoadWaitMax   PositiveShare = "10%"
	defaultTargetRateMin PositiveShare = "99%"
	defaultThrottlingMax PositiveShare = "1%"
	defaultStartSkewMax                = time.Second
)

// LoadCPULimit returns the limit in permille of a load pod's available CPU.
func (g Gates) LoadCPULimit() int64 {
	return cmp.Or(g.LoadCPUMax, defaultLoadCPUMax).Permille()
}

// LoadWaitLimit returns the limit in permille of the time in which a load pod's threads were runnable.
func (g Gates) LoadWaitLimit() int64 {
	return cmp.Or(g.LoadWaitMax, defaultLoadWaitMax).Permille()
}

// TargetRateLimit returns the limit in permille of the target rate.
func (g Gates) TargetRateLimit() int64 {
	return cmp.Or(g.TargetRateMin, defaultTargetRateMin).Permille()
}

// DuetSides is the number of servers in a duet that share the target rate.
const DuetSides = 2

// RateReached reports whether enough of a target rate was answered, both in operations per second of one server.
func (g Gates) RateReached(answered, asked float64) bool {
	return answered*1000 >= asked*float64(g.TargetRateLimit())
}

// ThrottlingLimit returns the limit in permille of the phase's time.
func (g Gates) ThrottlingLimit() int64 {
	return cmp.Or(g.ThrottlingMax, defaultThrottlingMax).Permille()
}

// SkewLimit returns the longest accepted time between the starts of load pods.
func (g Gates) SkewLimit() time.Duration {
	if g.StartSkewMax != nil {
		return g.StartSkewMax.Duration
	}
	return defaultStartSkewMax
}

// Bounds of the servers in the schema.
const (
	MaxServers    = 16
	MaxServerName = 31
)

// MaxMeasurements is the highest number of measurements of a run: each is an object with histograms, plus its logs.
const MaxMeasurements = 4000

// MaxLogs is the highest number of logs of a run: each load pod writes one per measurement, of at least some kilobytes, and etcd has a quota of
// two gigabytes by default.
const MaxLogs = 128_000

// MeasurementCount returns an upper bound of the number of measurements of a run. (Prepare phases of a shared store run fewer times.)
func (s ExperimentSpec) MeasurementCount() int64 {
	perRound, profiles := int64(0), int64(0)
	for _, phase := range s.Phases {
		parts := int64(len(s.Servers))
		if phase.Interleave != nil && phase.Interleave.Mode == InterleaveDuet {
			parts = 2 * (parts - 1) // two for each pair with the baseline
		}
		perRound += parts * int64(phase.Repeats) * int64(len(phase.Points()))
		profiles += int64(len(s.Servers)) * int64(len(phase.Profile)) * int64(len(phase.Points()))
	}
	return int64(s.InstallationCount()) * (int64(s.Rounds)*perRound + profiles)
}
