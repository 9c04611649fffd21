package orders

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// The loads define their variables in Java, and the load contract documents them. A name that is never set would be read as empty.
func TestWhatLoadsReadIsToldAndExplained(t *testing.T) {
	const images = "../../../../images"
	told, err := os.ReadFile("environment.go")
	require.NoError(t, err)
	explained := ""
	for _, page := range []string{"load-contract.md", "load-contract-phases.md"} {
		text, err := os.ReadFile(filepath.Join(images, "../docs/reference", page))
		require.NoError(t, err)
		explained += string(text)
	}

	read := map[string]string{}
	for _, load := range []string{"load-kit", "*-load", "ycsb"} {
		sources, err := filepath.Glob(filepath.Join(images, load, "src/main/java/dev/ringside/*/*.java"))
		require.NoError(t, err)
		deeper, err := filepath.Glob(filepath.Join(images, load, "src/main/java/dev/ringside/*/*/*.java"))
		require.NoError(t, err)
		for _, source := range append(sources, deeper...) {
			text, err := os.ReadFile(source)
			require.NoError(t, err)
			for _, match := range regexp.MustCompile(`"(RINGSIDE_[A-Z_]+)"`).FindAllStringSubmatch(string(text), -1) {
				read[match[1]] = source
			}
		}
	}
	require.Greater(t, len(read), 30)
	for name, source := range read {
		assert.True(t, strings.Contains(string(told), `"`+name+`"`), "%s, in %s, is not among the variables of environment.go", name, source)
		assert.True(t, strings.Contains(explained, name), "%s, in %s, is not explained in docs/reference/load-contract.md", name, source)
	}
}

func TestReadsIO_whereALoadHasTheStoreToItself(t *testing.T) {
	for name, test := range map[string]struct {
		spec v1beta1.MeasurementSpec
		want bool
	}{
		"an ordinary phase":       {v1beta1.MeasurementSpec{}, true},
		"a search":                {v1beta1.MeasurementSpec{Capacity: &v1beta1.CapacitySpec{}}, true},
		"servers that take turns": {v1beta1.MeasurementSpec{Interleave: &v1beta1.Interleave{}}, false},
		"rest":                    {v1beta1.MeasurementSpec{Idle: true}, false},
		"a kill":                  {v1beta1.MeasurementSpec{Recovery: &v1beta1.RecoverySpec{}}, false},
		"a profile":               {v1beta1.MeasurementSpec{Profile: &v1beta1.ProfileOrder{}}, false},
		"a fault":                 {v1beta1.MeasurementSpec{Faults: []v1beta1.FaultSpec{{}}}, false},
	} {
		assert.Equal(t, test.want, ReadsIO(test.spec), name)
	}
}

func TestManyPodsTogetherAskAndTellNoMoreThanFew(t *testing.T) {
	for pods, want := range map[int32][3]time.Duration{
		1:  {500 * time.Millisecond, 0, 5 * time.Second},
		2:  {500 * time.Millisecond, 2 * time.Second, 5 * time.Second},
		16: {500 * time.Millisecond, 2 * time.Second, 5 * time.Second},
		64: {500 * time.Millisecond, 2 * time.Second, 5 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d pods", pods), func(t *testing.T) {
			assert.Equal(t, want, [3]time.Duration{StartPoll(pods), StartNotice(pods), ProgressEvery(pods)})
		})
	}
}

func TestOperationsUnderAProfileAreNotDueInStepWithTicks(t *testing.T) {
	for _, ticks := range []int64{100, 250, 300, 1000} {
		for _, rate := range []int64{100, 250, 500, 1000, 3000, 4000, 10_000, 60_000} {
			t.Run(fmt.Sprintf("%d/s at %d Hz", rate, ticks), func(t *testing.T) {
				asked := offTicks(rate)
				assert.InDelta(t, rate, asked, 6)
				assert.GreaterOrEqual(t, asked, rate, "no gate on a missed rate hears of it")

				const second = 1
				var moments []float64
				for tick := range ticks * second {
					_, moment := math.Modf(float64(tick) * float64(asked) / float64(ticks))
					moments = append(moments, moment)
				}
				slices.Sort(moments)
				for i := 1; i < len(moments); i++ {
					assert.Less(t, moments[i]-moments[i-1], 0.02, "ticks meet every moment between two operations")
				}
			})
		}
	}
}

func TestOnlyAProfileChangesTheRateAndNeverAClosedLoop(t *testing.T) {
	for name, test := range map[string]struct {
		profile     *v1beta1.ProfileOrder
		rate, asked int64
	}{
		"measured":           {nil, 3000, 1500},
		"under a profile":    {&v1beta1.ProfileOrder{}, 3000, 1501},
		"a closed loop":      {nil, 0, 0},
		"a closed loop, too": {&v1beta1.ProfileOrder{}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			share, err := Shares(v1beta1.MeasurementSpec{Pods: 2, Threads: 2, Keys: 2, TargetRate: test.rate,
				Duration: &metav1.Duration{Duration: time.Minute}, Profile: test.profile}, 1)
			require.NoError(t, err)
			assert.Equal(t, test.asked, share.TargetRate)
		})
	}
}

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
