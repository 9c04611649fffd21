package measure

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// yearApart returns a log of intervals of one nanosecond, the last a year after the others: its time line would have 3e16 pieces.
func yearApart(t *testing.T) *Log {
	nano := func(from time.Time) Interval {
		return Interval{Start: from, End: from.Add(1), Tag: service("READ"), Histogram: histogramOf(t, 1_000_000)}
	}
	return NewLog([]Interval{nano(epoch), nano(epoch.Add(1)), nano(epoch.AddDate(1, 0, 0))})
}

func TestATimeLineIsBounded(t *testing.T) {
	const says = "the log's intervals are some 1ns long and leave a gap of"
	_, err := Summarize([]PodLog{{Log: yearApart(t)}})
	require.ErrorContains(t, err, says)
	_, err = PackLog(yearApart(t), MaxChunks)
	require.ErrorContains(t, err, says)
	_, err = Merge(yearApart(t), yearApart(t))
	require.ErrorContains(t, err, says)
	_, err = Cells(yearApart(t), "service")
	require.ErrorContains(t, err, says)
}

func TestARecorderOfContradictoryTimesIsBounded(t *testing.T) {
	var r Recorder
	var err error
	for i := 0; i <= 2*MaxIntervals && err == nil; i++ {
		from := epoch.Add(time.Duration(i))
		if i == 2*MaxIntervals {
			from = epoch.AddDate(1, 0, 0)
		}
		err = r.Add(Interval{Start: from, End: from.Add(1), Tag: service("READ"), Histogram: histogramOf(t, 1)})
	}
	require.ErrorContains(t, err, "the log's intervals are some 1ns long and cover")
}

func TestARecorderKeepsEveryCountOfAClockThatWasSetBack(t *testing.T) {
	var r Recorder
	for i := range 3 * MaxIntervals {
		from := at(float64(i))
		if i == 2*MaxIntervals {
			from = at(-3600)
		}
		require.NoError(t, r.Add(Interval{Start: from, End: from.Add(time.Second), Tag: service("READ"), Histogram: histogramOf(t, 1)}))
	}
	l, err := r.Log()
	require.NoError(t, err)
	assert.Equal(t, int64(3*MaxIntervals), l.OperationCount())
}

func TestPiecesOfAGapAreExactWhereTheirProductOverflows(t *testing.T) {
	year := 365 * 24 * time.Hour
	cells, err := fill(nil, epoch, epoch.Add(290*year), year/2)
	require.NoError(t, err)
	require.Len(t, cells, 580)
	for i, cell := range cells {
		assert.True(t, cell.start.Equal(epoch.Add(time.Duration(i)*(year/2))), "piece %d starts at %s", i, cell.start)
	}
}

func logOfTags(t *testing.T, n int) string {
	payload, err := EncodeHistogram(histogramOf(t, 42))
	require.NoError(t, err)
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "Tag=key%d-st,1.0,1.0,0.1,%s\n", i, payload)
	}
	return text.String()
}

func TestTagsAreBounded(t *testing.T) {
	_, err := ReadLog(strings.NewReader(logOfTags(t, MaxTags)))
	require.NoError(t, err)
	_, err = ReadLog(strings.NewReader(logOfTags(t, MaxTags+1)))
	require.EqualError(t, err, `the log has more than 64 tags, "key64-st" among them; give each kind of operation a tag, not each key`)
	var steps TagSet
	for i := range 1000 {
		require.NoError(t, steps.Add(service(fmt.Sprintf("READ@%d", i+1))), "the steps of a search are one tag")
	}
}

func TestALineIsBounded(t *testing.T) {
	const says = "log line 2: a line is longer than 1048576 bytes"
	long := "#comment\n#" + strings.Repeat("x", 3*MaxLine)
	_, err := ReadLog(strings.NewReader(long))
	require.ErrorContains(t, err, says)
	path := filepath.Join(t.TempDir(), "load.hlog")
	require.NoError(t, os.WriteFile(path, []byte(long), 0o600))
	f := NewFollower(path)
	defer f.Close() //nolint:errcheck // only read
	require.ErrorContains(t, f.Poll(func(Interval) {}), says)
	assert.LessOrEqual(t, len(f.partial), MaxLine)
}

// bomb returns a chunk that unpacks to the given size, a thousand times its own.
func bomb(t *testing.T, line string, size int) []byte {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	lines := []byte(strings.Repeat(line, 1+(1<<20)/len(line)))
	for written := 0; written < size; written += len(lines) {
		_, err := z.Write(lines)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.Less(t, packed.Len(), MaxChunk)
	return packed.Bytes()
}

func TestAChunkUnpacksToABoundedLog(t *testing.T) {
	for name, test := range map[string]struct{ line, says string }{
		"comments":      {"#comment\n", "unpack log: it holds more than 67108864 bytes"},
		"one long line": {"x", "a line is longer than 1048576 bytes"},
		"counters":      {"#[Counters: start=1 length=1 windows=1]\n", "the log has more lines of counters than windows"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := UnpackLog([][]byte{bomb(t, test.line, maxText+(1<<20))})
			require.ErrorContains(t, err, test.says)
		})
	}
}

func TestIntervalsAndTheirValuesAreBounded(t *testing.T) {
	iv := interval(t, 0, 1, service("READ"), 1)
	var many budget
	for range maxEntries {
		require.NoError(t, many.take(iv))
	}
	require.EqualError(t, many.take(iv), "the log has more than 262144 intervals; make them longer")
	var large budget
	large.buckets = maxAllBuckets
	require.ErrorContains(t, large.take(iv), "the log's histograms hold more than 16777216 values")
}

func TestValuesInAHistogramAreBounded(t *testing.T) {
	h := hdrhistogram.NewPacked(1, highestValue, 5)
	for i := range int64(maxBuckets + 1) {
		require.NoError(t, h.RecordValue(i))
	}
	encoded, err := EncodeHistogram(h)
	require.NoError(t, err)
	_, err = DecodeHistogram(encoded)
	require.ErrorContains(t, err, "it has 262145 different values, but at most 262144 are supported")
}

// dense returns a log with the given tags and intervals, whose values do not compress.
func dense(t *testing.T, tags, intervals, values int) *Log {
	r := rand.New(rand.NewPCG(1, 2))
	var all []Interval
	for i := range intervals {
		for tag := range tags {
			h := hdrhistogram.NewPacked(1, highestValue, 3)
			for range values {
				require.NoError(t, h.RecordValues(int64(1_000_000+r.IntN(100_000)), 1+r.Int64N(1<<40)))
			}
			all = append(all, Interval{Start: at(float64(i)), End: at(float64(i + 1)), Tag: service(fmt.Sprintf("op%d", tag)), Histogram: h})
		}
	}
	return NewLog(all)
}

func TestALogThatIsTooLargeIsJoinedToFewerIntervals(t *testing.T) {
	const most = 30_000
	l := dense(t, 1, 80, 100)
	packed, err := packWithin(l, most)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(packed), most)
	back, err := UnpackLog(Chunks(packed))
	require.NoError(t, err)
	assert.Equal(t, l.OperationCount(), back.OperationCount(), "no count is lost")
	assert.Less(t, len(back.Intervals), 80)
	l.Windowed = true
	_, err = packWithin(l, most)
	require.ErrorContains(t, err, "bytes compressed, but the maximum is 30000", "windows are compared one by one")
	_, err = packWithin(dense(t, MaxTags, 20, 100), most)
	require.ErrorContains(t, err, "bytes compressed, but the maximum is 30000; use fewer tags, or fewer significant digits")
}

func TestManyPodsAndServersShareTheChunks(t *testing.T) {
	for _, test := range []struct {
		pods    int32
		servers int
		want    int
	}{{1, 1, 12}, {2, 1, 6}, {64, 1, 2}, {0, 0, 12}, {1, 2, 6}, {1, 16, 4}} {
		assert.Equal(t, test.want, ChunksOf(test.pods, test.servers), "%d pods, %d servers", test.pods, test.servers)
	}
}
