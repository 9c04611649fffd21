package helper

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

var moment = time.Date(2026, 11, 24, 2, 40, 0, 250_000_000, time.UTC)

func TestAnOrderIsReadAsItWasWritten(t *testing.T) {
	for _, o := range []Order{
		{Kind: v1beta1.FaultPause}, {Kind: v1beta1.FaultCut}, {Kind: v1beta1.FaultLose, Percent: 5}, {Kind: v1beta1.FaultSlow, Delay: 1500 * time.Microsecond}, {Kind: v1beta1.FaultBusy},
		{Kind: v1beta1.FaultFill}, {Kind: v1beta1.FaultFill, Leave: 16 << 20}, {Kind: v1beta1.FaultMaintain, Task: "repair", Port: 9407},
	} {
		o.At, o.For = moment, 10500*time.Millisecond
		read, err := ParseArgs(o.Args())
		require.NoError(t, err)
		assert.Equal(t, o, read)
		assert.Equal(t, moment.Add(15500*time.Millisecond), read.Until())
	}
}

func TestAnOrderThatMakesNoSenseIsRefused(t *testing.T) {
	for says, args := range map[string][]string{
		"usage: ":                              nil,
		"a pause is told too little":           {"pause"},
		`a helper does no "kill"`:              {"kill", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		`a helper does no "blow"`:              {"blow", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"--at=soon is no moment":               {"pause", "--at=soon", "--for=1s"},
		"--for=0s is no time":                  {"cut", "--at=2026-11-24T02:40:00Z", "--for=0s"},
		"--percent=100 is no share of 1 to 99": {"lose", "--at=2026-11-24T02:40:00Z", "--for=1s", "--percent=100"},
		"--delay=-1s is no time":               {"slow", "--at=2026-11-24T02:40:00Z", "--for=1s", "--delay=-1s"},
		"--leave=16Mi is no number of bytes":   {"fill", "--at=2026-11-24T02:40:00Z", "--for=1s", "--leave=16Mi"},
		"a busy is told too little, or too":    {"busy", "--at=2026-11-24T02:40:00Z", "--for=1s", "--leave=1"},
		"--loud is no flag":                    {"slow", "--loud"},
		"--task=no such is no name of a task":  {"maintain", "--task=no such"},
		"--port=65536 is no port":              {"maintain", "--port=65536"},
		"a maintain is told too little":        {"maintain", "--at=2026-11-24T02:40:00Z", "--for=1s", "--task=repair"},
		"a pause is told too little, or too":   {"pause", "--at=2026-11-24T02:40:00Z", "--for=1s", "--task=repair", "--port=9407"},
		"a lose is told too little":            {"lose", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"a slow is told too little":            {"slow", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"a cut is told too little, or too":     {"cut", "--at=2026-11-24T02:40:00Z", "--for=1s", "--percent=5"},
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
