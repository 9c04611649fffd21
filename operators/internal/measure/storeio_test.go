package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// bytesOf returns the byte counters at one moment.
func bytesOf(put, got, written, read int64) map[string]int64 {
	return map[string]int64{"put_bytes": put, "got_bytes": got, "written_bytes": written, "read_bytes": read}
}

func TestWorksOutWhatTheLoadMadeTheStoreWriteAndRead(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: steady(t, 0, 1, 20, 500), Readings: &v1beta1.StoreReadings{
		Before: bytesOf(1000, 500, 8000, 100), After: bytesOf(301_000, 400_500, 1_008_000, 100_100), Sizes: map[string]int64{"live_bytes": 80_000, "disk_bytes": 100_000},
	}}})
	require.NoError(t, err)
	assert.Equal(t, &v1beta1.StoreIO{
		PutBytes: new(int64(300_000)), GotBytes: new(int64(400_000)), WrittenBytes: new(int64(1_000_000)), ReadBytes: new(int64(100_000)),
		LiveBytes: new(int64(80_000)), DiskBytes: new(int64(100_000)),
		WriteAmplification: "3.333", ReadAmplification: "0.250", SpaceAmplification: "1.250", WrittenPerOp: "100.0",
	}, r.StoreIO)
}

func TestSaysNothingOfWhatAStoreDoesNotTell(t *testing.T) {
	of := func(before, after, sizes map[string]int64) *v1beta1.StoreIO {
		return storeIO([]PodLog{{Log: steady(t, 0, 1, 1, 10), Readings: &v1beta1.StoreReadings{Before: before, After: after, Sizes: sizes}}})
	}
	told := map[string]int64{"written_bytes": 5}
	assert.Equal(t, &v1beta1.StoreIO{WrittenBytes: new(int64(0))}, of(told, told, nil), "nothing was written, which is a figure")
	assert.Equal(t, &v1beta1.StoreIO{PutBytes: new(int64(0)), WrittenBytes: new(int64(7))},
		of(map[string]int64{"put_bytes": 9, "written_bytes": 0}, map[string]int64{"put_bytes": 9, "written_bytes": 7}, nil), "no byte was put: it has no amplification")
	assert.Equal(t, &v1beta1.StoreIO{PutBytes: new(int64(1))},
		of(map[string]int64{"put_bytes": 1, "written_bytes": 9}, map[string]int64{"put_bytes": 2, "written_bytes": 3}, nil), "it began again")
	assert.Nil(t, of(map[string]int64{"put_bytes": 2}, map[string]int64{"put_bytes": 1}, nil))
	assert.Equal(t, &v1beta1.StoreIO{WrittenBytes: new(int64(0)), DiskBytes: new(int64(4))}, of(told, told, map[string]int64{"disk_bytes": 4}))
	assert.Nil(t, storeIO([]PodLog{{Log: steady(t, 0, 1, 1, 10)}}))
}

// The second pod's clock is ten seconds ahead: it began second, and ended first.
func TestSeveralLoadPodsSpanWhatTheStoreDidForAllOfThem(t *testing.T) {
	first := PodLog{Log: steady(t, 0, 1, 20, 10), Readings: &v1beta1.StoreReadings{
		Before: bytesOf(0, 0, 100, 0), After: bytesOf(1000, 0, 2100, 0), Sizes: map[string]int64{"live_bytes": 10, "disk_bytes": 30}}}
	second := PodLog{Log: steady(t, 11, 1, 15, 10), Ahead: 10 * time.Second, Readings: &v1beta1.StoreReadings{
		Before: bytesOf(40, 0, 150, 0), After: bytesOf(900, 0, 1900, 0), Sizes: map[string]int64{"live_bytes": 9, "disk_bytes": 99}}}
	for _, pods := range [][]PodLog{{first, second}, {second, first}} {
		io := storeIO(pods)
		require.NotNil(t, io)
		assert.Equal(t, int64(1000), *io.PutBytes)
		assert.Equal(t, int64(2000), *io.WrittenBytes)
		assert.Equal(t, v1beta1.Decimal("3.000"), io.SpaceAmplification, "by the pod that reported last")
	}
	second.Readings = nil
	assert.Nil(t, storeIO([]PodLog{first, second}), "half of a load is not the load")
}

func TestASearchHasNoOperationsToShareWhatWasWritten(t *testing.T) {
	r, err := Summarize([]PodLog{{
		Log: searching(t), Capacity: found(130, v1beta1.CapacityStep{Rate: 100, Operations: 100, Kept: true}, v1beta1.CapacityStep{Rate: 200, Operations: 150}, v1beta1.CapacityStep{Rate: 120, Operations: 120, Kept: true}),
		Readings: &v1beta1.StoreReadings{Before: bytesOf(0, 0, 0, 0), After: bytesOf(10, 0, 25, 0)},
	}})
	require.NoError(t, err)
	require.NotNil(t, r.StoreIO)
	assert.Equal(t, v1beta1.Decimal("2.500"), r.StoreIO.WriteAmplification)
	assert.Empty(t, r.StoreIO.WrittenPerOp)
}
