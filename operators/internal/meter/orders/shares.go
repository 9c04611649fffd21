package orders

import (
	"fmt"
	"math"
	"strconv"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Share is one load pod's part of a measurement. Over all pods, every number adds up to the total, except that a rate under a profile is
// slightly higher (offTicks).
type Share struct {
	// Operations; 0 if DurationSeconds limits the phase.
	Operations      int64
	DurationSeconds int64
	// KeyOffset and KeyCount are the pod's range of keys. The ranges of all pods cover the keys once.
	KeyOffset, KeyCount int64
	Threads             int64
	// Connections; 0 means as many as threads.
	Connections int64
	// TargetRate in operations per second; 0 means a closed loop.
	TargetRate int64
	// Seed of the pod's random choices, which differs for each pod.
	Seed int64
}

// Shares returns the part of the pod with the index, from 0. It rejects a measurement that cannot be divided: every pod needs at least one
// thread, operation, key and, at a constant rate, operation per second.
func Shares(spec v1beta1.MeasurementSpec, index int32) (Share, error) {
	pods := int64(spec.Pods)
	if pods < 1 {
		return Share{}, fmt.Errorf("pods is %d; a measurement needs at least one load pod", pods)
	}
	if index < 0 || int64(index) >= pods {
		return Share{}, fmt.Errorf("pod index %d is not one of %d load pods", index, pods)
	}
	var s Share
	if spec.Duration != nil {
		s.DurationSeconds = int64(math.Ceil(spec.Duration.Seconds()))
		if s.DurationSeconds < 1 {
			return Share{}, fmt.Errorf("duration %s is not positive", spec.Duration.Duration)
		}
	}
	for _, total := range []struct {
		what     string
		n        int64
		share    *int64
		optional bool
	}{
		{"operations", spec.Operations, &s.Operations, spec.Duration != nil},
		{"keys", spec.Keys, &s.KeyCount, false},
		{"threads", int64(spec.Threads), &s.Threads, false},
		{"connections", int64(spec.Connections), &s.Connections, true},
		{"operations per second", spec.TargetRate, &s.TargetRate, true},
	} {
		if total.n == 0 && total.optional {
			continue
		}
		if total.n < pods {
			return Share{}, fmt.Errorf("%d %s cannot be divided among %d load pods; use more, or fewer pods", total.n, total.what, pods)
		}
		*total.share = part(total.n, pods, int64(index))
	}
	if spec.Connections > 0 && spec.Connections < spec.Threads {
		return Share{}, fmt.Errorf("%d connections are too few for %d threads; use at least as many connections as threads", spec.Connections, spec.Threads)
	}
	if spec.Profile != nil {
		s.TargetRate = offTicks(s.TargetRate)
	}
	s.KeyOffset = before(spec.Keys, pods, int64(index))
	s.Seed = spec.Seed + int64(index)
	return s, nil
}

// part returns the share of the pod with the index: the first total%pods pods take one more.
func part(total, pods, index int64) int64 {
	n := total / pods
	if index < total%pods {
		n++
	}
	return n
}

// before returns the sum of the shares of the pods before index.
func before(total, pods, index int64) int64 {
	return total/pods*index + min(index, total%pods)
}

// Environment returns the variables of the load as name=value pairs, apart from the files to write.
func (s Share) Environment(spec v1beta1.MeasurementSpec) []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	orEmpty := func(n int64) string {
		if n == 0 {
			return ""
		}
		return number(n)
	}
	serverType := spec.ServerType
	if len(spec.Arms) > 0 {
		serverType = "" // an interleaved load has several
	}
	operations := orEmpty(s.Operations)
	if s.DurationSeconds > 0 {
		operations = ""
	}
	return []string{
		EnvOperation + "=" + spec.Operation,
		EnvOperations + "=" + operations,
		EnvDurationSeconds + "=" + orEmpty(s.DurationSeconds),
		EnvKeys + "=" + number(spec.Keys),
		EnvKeyOffset + "=" + number(s.KeyOffset),
		EnvKeyCount + "=" + number(s.KeyCount),
		EnvThreads + "=" + number(s.Threads),
		EnvConnections + "=" + orEmpty(s.Connections),
		EnvTargetRate + "=" + number(s.TargetRate),
		EnvConsistency + "=" + spec.Consistency,
		EnvServerType + "=" + serverType,
		EnvSeed + "=" + number(s.Seed),
	}
}
