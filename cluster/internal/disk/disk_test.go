package disk

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJudge_byTheTimeOfARead(t *testing.T) {
	assert.Equal(t, Verdict{Kind: SSD, Evidence: "random 4 KiB direct reads took 130µs (median)"}, judge(130*time.Microsecond))
	assert.Equal(t, HDD, judge(6*time.Millisecond).Kind)
}

func TestMeasuresAndCleansUp(t *testing.T) {
	// The system's temporary directory may be in memory, which has no direct reads.
	dir, err := os.MkdirTemp(".", "probe-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	median, err := medianRead(dir)
	require.NoError(t, err)
	assert.Positive(t, median)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}
