package archive_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
)

// Logs as other tools wrote them: the issues HdrHistogram#69 and #136, YCSB#380, scylla-cluster-tests#3133.
func TestNamesTheLogsThatContradictThemselvesOrAreEmpty(t *testing.T) {
	run, err := archive.Read("testdata/logs")
	require.NoError(t, err)
	for _, want := range []string{
		"hlog/clock-set-back-an-hour.hlog is left out: the log has times that go back: an interval of READ-st from 2026-11-21T00:39:43.000Z to 2026-11-21T00:39:44.000Z" +
			" is followed by one from 2026-11-20T23:39:44.000Z to 2026-11-20T23:39:45.000Z; the clock was changed, or the log has several runs of the tool",
		"hlog/base-twice.hlog could not be read: log line 6: BaseTime is 1795225183.000 s, and the times before it count from 1795221583.000 s;" +
			" write one log for each run of the tool, with one BaseTime before its first interval",
		"hlog/empty.hlog is left out: the log has 0 operations",
		"hlog/header-only.hlog is left out: the log has 0 operations",
		"hlog/one-comment.hlog is left out: the log has 0 operations",
	} {
		assert.Contains(t, run.Notes, want)
	}
	var read []string
	for name, log := range run.Logs {
		read = append(read, name)
		assert.Equal(t, int64(300), log.OperationCount(), name)
		assert.InDelta(t, 3, log.Length().Seconds(), 0.001, name)
	}
	slices.Sort(read)
	assert.Equal(t, []string{"control", "relative-with-base"}, read, "the ways to write time give the same")
}
