package meter

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// pendingAt answers each question for sizes with the pending compactions that follow, and the last of them from then on.
func pendingAt(counts ...int) map[string]func(int) string {
	return map[string]func(int) string{"sizes": func(asked int) string {
		return fmt.Sprintf("pending_compactions %d\n", counts[min(asked, len(counts))-1])
	}}
}

func TestOnePodReadsThePendingCompactionsBeforeTheLoad(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		index   int
		answers map[string]func(int) string
		want    *int64
	}{
		"the first pod":                {0, pendingAt(2), new(int64(4))},
		"another pod":                  {1, pendingAt(2), nil},
		"a store that does not report": {0, map[string]func(int) string{"sizes": func(int) string { return "disk_bytes 1\n" }}, nil},
		"a store that does not answer": {0, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := startedMeasurement()
			m.Spec.Pods = 2
			api := newFakeAPI(t, m)
			nodes := countingStore(t, test.answers) + "," + countingStore(t, test.answers)
			p := startPod(t, api.URL, "", "RINGSIDE_COMPACTIONS="+nodes, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", test.index))
			require.Equal(t, orders.ExitDone, p.wait(t))
			assert.Equal(t, test.want, api.last(t).PendingCompactions)
		})
	}
}

func TestAPhaseEndsWhenTheStoreHasNoPendingCompactions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit  time.Duration
		counts []int
		logged string
	}{
		"they end":                  {time.Minute, []int{0, 5, 0, 2, 0}, "the store had no pending compactions"},
		"they do not end in time":   {2 * time.Second, []int{0, 5}, "the store still had 5 pending compactions 2s after the load"},
		"no wait without the field": {0, []int{0, 5}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := startedMeasurement()
			if test.limit > 0 {
				m.Spec.AwaitCompactions = &metav1.Duration{Duration: test.limit}
			}
			api := newFakeAPI(t, m)
			p := startPod(t, api.URL, "", "RINGSIDE_COMPACTIONS="+countingStore(t, pendingAt(test.counts...)))
			require.Equal(t, orders.ExitDone, p.wait(t))
			part := api.last(t)
			assert.Equal(t, v1beta1.PartDone, part.State)
			assert.Equal(t, new(int64(0)), part.PendingCompactions, "the compactions before the load")
			if test.logged == "" {
				assert.NotContains(t, p.out.String(), "after the load")
			}
			assert.Contains(t, p.out.String(), test.logged)
		})
	}
}

func TestTheWaitForCompactionsEnds(t *testing.T) {
	t.Parallel()
	const unknown = -1
	for name, test := range map[string]struct {
		readings []int64 // one each second
		want     string
	}{
		"after successive readings of none":    {[]int64{4, 0, 0, 1, 0, 0, 0}, "the store had no pending compactions 6s after the load"},
		"not before, for want of answers":      {[]int64{0, 0, unknown, 0, 0, 0}, "the store had no pending compactions 5s after the load"},
		"if the store never reports them":      {[]int64{unknown, unknown, unknown, unknown, unknown}, "the wait for compactions ended 4s after the load: the store does not report them"},
		"not before, after a single answer":    {[]int64{9, unknown, unknown, unknown, unknown, unknown, unknown, unknown, 7}, "the store still had 7 pending compactions 8s after the load"},
		"at the limit, with some left":         {[]int64{9, 9, 9, 9, 9, 9, 9, 9, 8}, "the store still had 8 pending compactions 8s after the load"},
		"at the limit, without the last one":   {[]int64{9, 9, 9, 9, 9, 9, 9, 9, unknown}, "the pending compactions are not known 8s after the load"},
		"at once, if there is nothing to wait": {[]int64{0, 0, 0}, "the store had no pending compactions 2s after the load"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wait := compactionsWait{limit: 8 * time.Second}
			for second, reading := range test.readings {
				var pending *int64
				if reading != unknown {
					pending = new(reading)
				}
				how := wait.after(pending, time.Duration(second)*time.Second)
				if second < len(test.readings)-1 {
					require.Empty(t, how, "second %d", second)
				} else {
					assert.Equal(t, test.want, how)
				}
			}
		})
	}
}
