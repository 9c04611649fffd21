package orders

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

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
