package inflict

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clocktesting "k8s.io/utils/clock/testing"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
)

var due = time.Date(2026, 11, 24, 2, 40, 0, 0, time.UTC)

var order = helper.Order{Kind: v1beta1.FaultPause, At: due, For: 10 * time.Second}

func TestThereIsAHitForEachFaultThatLasts(t *testing.T) {
	for _, kind := range v1beta1.FaultKinds() {
		assert.Equal(t, kind.Timed(), Of(helper.Order{Kind: kind}) != nil, kind)
	}
}

// hit returns a Hit that takes effect immediately, and closes the channel.
func hit(holding chan struct{}) Hit {
	return func(ctx context.Context, begun func()) error {
		begun()
		close(holding)
		<-ctx.Done()
		return nil
	}
}

// awaited steps the clock when something waits for it.
func awaited(t *testing.T, clock *clocktesting.FakeClock, step time.Duration) {
	require.Eventually(t, clock.HasWaiters, 20*time.Second, time.Millisecond)
	clock.Step(step)
}

func TestAFaultBeginsAtItsMomentAndLastsForItsTime(t *testing.T) {
	clock := clocktesting.NewFakeClock(due.Add(-30 * time.Second))
	holding, reports := make(chan struct{}), make(chan helper.Report, 1)
	go func() { reports <- Run(t.Context(), clock, order, hit(holding)) }()
	awaited(t, clock, 30*time.Second-time.Millisecond)
	select {
	case <-holding:
		t.Fatal("it came before its moment")
	default:
	}
	awaited(t, clock, time.Millisecond)
	<-holding
	awaited(t, clock, 10*time.Second)
	assert.Equal(t, helper.Report{BeganAt: due, UndoneAt: due.Add(10 * time.Second)}, <-reports)
}

func TestAFaultThatComesTooLateDoesNothing(t *testing.T) {
	clock := clocktesting.NewFakeClock(due.Add(helper.Late + time.Second))
	report := Run(t.Context(), clock, order, func(context.Context, func()) error {
		t.Error("it hit")
		return nil
	})
	assert.Equal(t, helper.Report{Error: "its helper came 6s late"}, report)
}

func TestAFaultThatCannotBeDoneSaysWhy(t *testing.T) {
	report := Run(t.Context(), clocktesting.NewFakeClock(due), order, func(context.Context, func()) error { return errors.New("no right") })
	assert.Equal(t, helper.Report{Error: "no right"}, report)
}

func TestAFaultThatIsEndedSaysSo(t *testing.T) {
	clock := clocktesting.NewFakeClock(due.Add(-time.Second))
	ctx, end := context.WithCancel(t.Context())
	reports := make(chan helper.Report, 1)
	go func() { reports <- Run(ctx, clock, order, hit(make(chan struct{}))) }()
	require.Eventually(t, clock.HasWaiters, 20*time.Second, time.Millisecond)
	end()
	assert.Equal(t, helper.Report{Error: "its helper was ended before its moment"}, <-reports)

	ctx, end = context.WithCancel(t.Context())
	clock.SetTime(due)
	holding := make(chan struct{})
	go func() { reports <- Run(ctx, clock, order, hit(holding)) }()
	<-holding
	end()
	assert.Equal(t, "its helper was ended before its time", (<-reports).Error)
}
