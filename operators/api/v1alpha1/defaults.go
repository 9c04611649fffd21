package v1alpha1

import (
	"strings"
	"time"
)

// What a spec means where it says nothing, in one place for operator, command line and report.

// ServerType is the store's server.type of the arm.
func (s ServerSpec) ServerType() string {
	if s.Type != "" {
		return s.Type
	}
	return s.Name
}

// InstanceName is what the store is to call the arm's own server: a name that begins with its type. Empty where it shares its type's.
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

// HostedAs is what the store calls the arm's server.
func (s ServerSpec) HostedAs() string { return hostedAs(s.ServerType(), s.InstanceName()) }

// HostedAs is what the store calls the measured server.
func (s MeasurementSpec) HostedAs() string { return hostedAs(s.ServerType, s.Instance) }

// HostedAs is what the store calls the arm's server.
func (a Arm) HostedAs() string { return hostedAs(a.ServerType, a.Instance) }

func hostedAs(serverType, instance string) string {
	if instance != "" {
		return instance
	}
	return serverType
}

// OperationName is what the load image is asked to do.
func (p PhaseSpec) OperationName() string {
	if p.Operation != "" {
		return p.Operation
	}
	return p.Name
}

// LoadImage is what drives the phase.
func (s ExperimentSpec) LoadImage(phase PhaseSpec) string {
	if phase.Image != "" {
		return phase.Image
	}
	return s.Load.Image
}

// PodCount is how many load pods a phase takes; an idle one takes one, which looks, and one in which the store is killed one, which kills.
func (s ExperimentSpec) PodCount(phase PhaseSpec) int32 {
	if phase.Idle || phase.Recovery != nil {
		return 1
	}
	return s.Load.Pods
}

// OperationCount is the phase's number of operations over all load pods; 0 when a duration bounds it.
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

// KeyCount is the size of the population: keys, else operations, else the largest phase's.
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

// InstallationCount is how often a shared store is installed.
func (s ExperimentSpec) InstallationCount() int32 { return max(s.Installations, 1) }

// StopsByItself says whether the run may end before its last round.
func (s ExperimentSpec) StopsByItself() bool { return s.Precision != "" }

// Enough says whether the run has measured enough, and ends after the rounds that it has.
func (s ExperimentStatus) Enough() bool { return s.Precision != nil && s.Precision.Reason != "" }

// BaselineName is the server that ratios are taken against.
func (s ExperimentSpec) BaselineName() string {
	if s.Baseline != "" || len(s.Servers) == 0 {
		return s.Baseline
	}
	return s.Servers[0].Name
}

// DocumentName is the name of the experiment's document: its label, or the object's name.
func (e *Experiment) DocumentName() string {
	if name := e.Labels[LabelExperiment]; name != "" {
		return name
	}
	return e.Name
}

// RunID is the run's identifier: its label, or the object's creation in UTC.
func (e *Experiment) RunID() string {
	if run := e.Labels[LabelRun]; run != "" {
		return run
	}
	return e.CreationTimestamp.UTC().Format(RunIDLayout)
}

// RunIDLayout writes a run's start, in UTC, as its identifier.
const RunIDLayout = "20060102-150405"

// Or returns the mode, or the default where a gate says nothing.
func (m GateMode) Or(fallback GateMode) GateMode {
	if m == "" {
		return fallback
	}
	return m
}

// What the gates allow where they do not say.
const (
	defaultLoadCPUMaxPermille    = 950
	defaultLoadWaitMaxPermille   = 100
	defaultTargetRateMinPermille = 990
	defaultThrottlingMaxPermille = 10
	defaultStartSkewLimit        = time.Second
)

// LoadCPULimit in permille of the CPU that a load pod could get.
func (g Gates) LoadCPULimit() int64 {
	if g.LoadCPUMaxPermille > 0 {
		return g.LoadCPUMaxPermille
	}
	return defaultLoadCPUMaxPermille
}

// LoadWaitLimit in permille of the time in which a load pod's threads wanted a core.
func (g Gates) LoadWaitLimit() int64 {
	if g.LoadWaitMaxPermille > 0 {
		return g.LoadWaitMaxPermille
	}
	return defaultLoadWaitMaxPermille
}

// TargetRateLimit in permille of the rate asked for.
func (g Gates) TargetRateLimit() int64 {
	if g.TargetRateMinPermille > 0 {
		return g.TargetRateMinPermille
	}
	return defaultTargetRateMinPermille
}

// DuetSides share the rate that is asked for: half of it is the peer's.
const DuetSides = 2

// RateReached says whether enough of a rate was answered; both in operations per second, asked for of the same server.
func (g Gates) RateReached(answered, asked float64) bool {
	return answered*1000 >= asked*float64(g.TargetRateLimit())
}

// ThrottlingLimit in permille of the phase's time.
func (g Gates) ThrottlingLimit() int64 {
	if g.ThrottlingMaxPermille > 0 {
		return g.ThrottlingMaxPermille
	}
	return defaultThrottlingMaxPermille
}

// SkewLimit is how far apart load pods may begin before the StartSkew gate speaks.
func (g Gates) SkewLimit() time.Duration {
	if g.StartSkewLimit != nil {
		return g.StartSkewLimit.Duration
	}
	return defaultStartSkewLimit
}

// MaxMeasurements of a run: each is an object with its histograms, and its logs are more. The CRD says the same.
const MaxMeasurements = 4000

// MaxLogs of a run: each load pod leaves one of each measurement, which has some kilobytes at least, and an etcd has two gigabytes where nobody gives it
// more. The CRD says the same.
const MaxLogs = 128_000

// MeasurementCount is how many measurements a run has at most, without laying them out. (Prepare phases of a shared store run
// fewer times.)
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
