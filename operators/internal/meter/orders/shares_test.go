package orders

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestSharesAddUpToTheTotal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		pods := 1 + r.Int32N(64)
		spec := v1beta1.MeasurementSpec{
			Pods: pods, Operations: int64(pods) + r.Int64N(5_000_000), Keys: int64(pods) + r.Int64N(1_000_000),
			Threads: pods + r.Int32N(1000), TargetRate: int64(pods) + r.Int64N(100_000),
		}
		var sum Share
		for i := range pods {
			s, err := Shares(spec, i)
			require.NoError(t, err)
			require.Equal(t, sum.KeyCount, s.KeyOffset, "pieces follow each other without a gap")
			require.Positive(t, min(s.Operations, s.KeyCount, s.Threads, s.TargetRate))
			sum.Operations += s.Operations
			sum.KeyCount += s.KeyCount
			sum.Threads += s.Threads
			sum.TargetRate += s.TargetRate
		}
		require.Equal(t, Share{Operations: spec.Operations, KeyCount: spec.Keys, Threads: int64(spec.Threads), TargetRate: spec.TargetRate}, sum)
	}
}

func TestAWriteOfThePopulationGivesEachPodAsManyOperationsAsKeys(t *testing.T) {
	spec := v1beta1.MeasurementSpec{Pods: 7, Operations: 100_003, Keys: 100_003, Threads: 50}
	for i := range spec.Pods {
		s, err := Shares(spec, i)
		require.NoError(t, err)
		assert.Equal(t, s.KeyCount, s.Operations)
	}
}

func TestRefusesWhatCannotBeShared(t *testing.T) {
	good := v1beta1.MeasurementSpec{Pods: 4, Operations: 100, Keys: 100, Threads: 8}
	for name, test := range map[string]struct {
		change func(*v1beta1.MeasurementSpec)
		index  int32
		want   string
	}{
		"no pods":                      {func(s *v1beta1.MeasurementSpec) { s.Pods = 0 }, 0, "at least one load pod"},
		"an index too high":            {func(*v1beta1.MeasurementSpec) {}, 4, "pod index 4 is not one of 4 load pods"},
		"fewer threads":                {func(s *v1beta1.MeasurementSpec) { s.Threads = 3 }, 0, "3 threads cannot be divided among 4 load pods"},
		"fewer operations":             {func(s *v1beta1.MeasurementSpec) { s.Operations = 3 }, 3, "3 operations cannot be divided"},
		"neither ops nor time":         {func(s *v1beta1.MeasurementSpec) { s.Operations = 0 }, 0, "0 operations cannot be divided"},
		"fewer keys":                   {func(s *v1beta1.MeasurementSpec) { s.Keys = 2 }, 0, "2 keys cannot be divided"},
		"a rate below one a pod":       {func(s *v1beta1.MeasurementSpec) { s.TargetRate = 2 }, 3, "2 operations per second cannot be divided"},
		"fewer connections":            {func(s *v1beta1.MeasurementSpec) { s.Connections = 4 }, 0, "4 connections are too few for 8 threads"},
		"fewer in another pod's share": {func(s *v1beta1.MeasurementSpec) { s.Pods, s.Threads, s.Connections = 2, 3, 2 }, 1, "2 connections are too few for 3 threads"},
		"no time":                      {func(s *v1beta1.MeasurementSpec) { s.Duration = &metav1.Duration{} }, 0, "duration 0s is not positive"},
	} {
		spec := good
		test.change(&spec)
		_, err := Shares(spec, test.index)
		assert.ErrorContains(t, err, test.want, name)
	}
	_, err := Shares(good, 3)
	assert.NoError(t, err)
}

func TestTellsTheLoadItsShare(t *testing.T) {
	spec := v1beta1.MeasurementSpec{Pods: 3, Operations: 10, Keys: 10, Threads: 4, Connections: 16, TargetRate: 8, Operation: "write", Consistency: "quorum", ServerType: "disruptor", Seed: 9007199254740990}
	s, err := Shares(spec, 1)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"RINGSIDE_OPERATION=write", "RINGSIDE_OPERATIONS=3", "RINGSIDE_DURATION_SECONDS=", "RINGSIDE_KEYS=10", "RINGSIDE_KEY_OFFSET=4",
		"RINGSIDE_KEY_COUNT=3", "RINGSIDE_THREADS=1", "RINGSIDE_CONNECTIONS=5", "RINGSIDE_TARGET_RATE=3", "RINGSIDE_CONSISTENCY=quorum", "RINGSIDE_SERVER_TYPE=disruptor",
		"RINGSIDE_SEED=9007199254740991",
	}, s.Environment(spec))

	spec.Operations, spec.TargetRate, spec.Connections, spec.Duration = 0, 0, 0, &metav1.Duration{Duration: 1500 * time.Millisecond}
	s, err = Shares(spec, 1)
	require.NoError(t, err)
	env := s.Environment(spec)
	assert.Contains(t, env, "RINGSIDE_OPERATIONS=")
	assert.Contains(t, env, "RINGSIDE_DURATION_SECONDS=2")
	assert.Contains(t, env, "RINGSIDE_TARGET_RATE=0")
	assert.Contains(t, env, "RINGSIDE_CONNECTIONS=")

	spec.Arms = []v1beta1.Arm{{Server: "disruptor"}, {Server: "hsha"}}
	assert.Contains(t, s.Environment(spec), "RINGSIDE_SERVER_TYPE=", "no one type when it goes round among several")
}

func TestNamesParametersAsTheContractSays(t *testing.T) {
	assert.Equal(t, "RINGSIDE_PARAM_COLUMN_SIZE_MAX", ParamName("column-size.max"))
}
