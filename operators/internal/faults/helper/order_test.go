package helper

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

var moment = time.Date(2026, 11, 24, 2, 40, 0, 250_000_000, time.UTC)

func TestAnOrderIsReadAsItWasWritten(t *testing.T) {
	for _, kind := range []v1alpha1.FaultKind{v1alpha1.FaultPause, v1alpha1.FaultCut} {
		o := Order{Kind: kind, At: moment, For: 10500 * time.Millisecond}
		read, err := ParseArgs(o.Args())
		require.NoError(t, err)
		assert.Equal(t, o, read)
		assert.Equal(t, moment.Add(15500*time.Millisecond), read.Until())
	}
}

func TestAnOrderThatMakesNoSenseIsRefused(t *testing.T) {
	for says, args := range map[string][]string{
		"usage: ":                   {"pause"},
		`a helper does no "kill"`:   {"kill", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"--at=soon is no moment":    {"pause", "--at=soon", "--for=1s"},
		"--for=0s is no time":       {"cut", "--at=2026-11-24T02:40:00Z", "--for=0s"},
		"usage: fault pause|cut --": {"pause", "--for=1s", "--at=2026-11-24T02:40:00Z"},
	} {
		_, err := ParseArgs(args)
		require.ErrorContains(t, err, says)
		assert.ErrorContains(t, err, Usage)
	}
}

func TestAReportIsReadAsItWasWritten(t *testing.T) {
	for _, report := range []Report{{BeganAt: moment, UndoneAt: moment.Add(time.Second)}, {Error: "no right"}} {
		read, err := ParseReport(report.String())
		require.NoError(t, err)
		assert.Equal(t, report, read)
	}
	_, err := ParseReport("Killed")
	assert.ErrorContains(t, err, "read the report of a fault's helper")
}
