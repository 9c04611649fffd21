package measure

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func readFixture(t testing.TB, name string) *Log {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	l, err := ReadLog(bytes.NewReader(data))
	require.NoError(t, err)
	return l
}

func TestReadsALogOfCassandraStress(t *testing.T) {
	l := readFixture(t, "cassandra-stress-write-fixed-rate.hlog")
	require.Len(t, l.Intervals, 12)
	first := l.Intervals[0]
	assert.Equal(t, Tag{Operation: "WRITE", Kind: v1beta1.LatencyService}, first.Tag)
	assert.Equal(t, "2026-11-21T00:39:43.001Z", first.Start.Format(time.RFC3339Nano))
	assert.Equal(t, "2026-11-21T00:39:44Z", first.End.Format(time.RFC3339Nano))
	assert.Equal(t, []v1beta1.LatencyKind{"service", "response", "wait"}, l.Kinds())
	assert.Equal(t, []string{"WRITE"}, l.Operations())
	assert.Equal(t, int64(20000), l.OperationCount())
}

func TestWrittenLogsReadBackTheSame(t *testing.T) {
	for _, name := range []string{"cassandra-stress-write-fixed-rate.hlog", "cassandra-stress-read.hlog"} {
		l := readFixture(t, name)
		var b bytes.Buffer
		require.NoError(t, WriteLog(&b, l, "a comment", "two\nlines"))
		back, err := ReadLog(&b)
		require.NoError(t, err)
		assertSameLog(t, l, back)
	}
}

func TestWrittenLogsKeepTimesToTheNanosecond(t *testing.T) {
	l := NewLog([]Interval{{Start: epoch.Add(123_456_789), End: epoch.Add(1_500_000_001), Tag: service("READ"), Histogram: histogramOf(t, 7)}})
	var b bytes.Buffer
	require.NoError(t, WriteLog(&b, l))
	back, err := ReadLog(&b)
	require.NoError(t, err)
	assertSameLog(t, l, back)
}

func assertSameLog(t *testing.T, want, got *Log) {
	t.Helper()
	assert.True(t, want.Start.Equal(got.Start), "start %s, want %s", got.Start, want.Start)
	assert.True(t, want.End.Equal(got.End), "end %s, want %s", got.End, want.End)
	require.Len(t, got.Intervals, len(want.Intervals))
	for i, w := range want.Intervals {
		g := got.Intervals[i]
		assert.Equal(t, w.Tag, g.Tag)
		assert.True(t, w.Start.Equal(g.Start) && w.End.Equal(g.End), "interval %d: %s to %s, want %s to %s", i, g.Start, g.End, w.Start, w.End)
		assert.Equal(t, buckets(w.Histogram), buckets(g.Histogram))
	}
}

func TestRefusesTagsThatWouldBreakALine(t *testing.T) {
	for _, tag := range []string{"a,b", "a b", "a\nb"} {
		l := NewLog([]Interval{interval(t, 0, 1, service(tag), 1)})
		assert.ErrorContains(t, WriteLog(&bytes.Buffer{}, l), "has a comma, a space or a line break")
	}
}

func TestTellsTimesFromTheBaseTheEpochOrTheStart(t *testing.T) {
	payload, err := EncodeHistogram(histogramOf(t, 42))
	require.NoError(t, err)
	for name, test := range map[string]struct{ log, want string }{
		"base time":               {"#[BaseTime: 1795221583.000 (seconds since epoch)]\n#[StartTime: 1795221583.500 (seconds since epoch), Sat]\n2.250,1.000,0.1,", "2026-11-21T00:39:45.25Z"},
		"seconds since the epoch": {"#[StartTime: 1795221583.500 (seconds since epoch), Sat]\n1795221585.250,1.000,0.1,", "2026-11-21T00:39:45.25Z"},
		"seconds since the start": {"#[StartTime: 1795221583.000 (seconds since epoch), Sat]\n2.250,1.000,0.1,", "2026-11-21T00:39:45.25Z"},
		"no header at all":        {"1795221585.250,1.000,0.1,", "2026-11-21T00:39:45.25Z"},
		"windows line breaks":     {"#[StartTime: 1795221583.000 (seconds since epoch), Sat]\r\n\r\n2.25,1,0.1,", "2026-11-21T00:39:45.25Z"},
	} {
		l, err := ReadLog(strings.NewReader(test.log + payload + "\r\n"))
		require.NoError(t, err, name)
		require.Len(t, l.Intervals, 1, name)
		assert.Equal(t, test.want, l.Intervals[0].Start.Format(time.RFC3339Nano), name)
		assert.Equal(t, time.Second, l.Intervals[0].End.Sub(l.Intervals[0].Start), name)
		assert.Equal(t, "", l.Intervals[0].Tag.String(), name)
	}
}

func TestNamesTheLineThatIsWrong(t *testing.T) {
	payload, err := EncodeHistogram(histogramOf(t, 42))
	require.NoError(t, err)
	for line, want := range map[string]string{
		"garbage":                           "log line 2: 1 fields instead of start, length, max, histogram",
		"Tag=READ-st":                       "log line 2: a tag without an interval",
		"Tag=READ,1.0,1.0,0.1," + payload:   `log line 2: tag "READ" does not end in -st`,
		"x,1.0,0.1," + payload:              `log line 2: "x" is not a time in seconds`,
		"1.0,1e3,0.1," + payload:            `log line 2: "1e3" is not a time in seconds`,
		"1.0,-1.0,0.1," + payload:           "log line 2: an interval of negative length",
		"1.0,1.0,0.1,":                      "log line 2: decode histogram",
		"1.0,1.0,0.1,HISTFAAAABV":           "log line 2: decode histogram",
		"#[BaseTime: soon (seconds since e": `log line 2: "soon" is not a time in seconds`,
	} {
		_, err := ReadLog(strings.NewReader("#comment\n" + line + "\n1.0,1.0,0.1," + payload + "\n"))
		assert.ErrorContains(t, err, want, line)
	}
}

func TestFollowsALogHoweverItsBytesArrive(t *testing.T) {
	data, err := os.ReadFile("testdata/cassandra-stress-write-fixed-rate.hlog")
	require.NoError(t, err)
	data = bytes.TrimSuffix(data, []byte("\n"))
	want := readFixture(t, "cassandra-stress-write-fixed-rate.hlog")
	r := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		path := filepath.Join(t.TempDir(), "load.hlog")
		f := NewFollower(path)
		var got []Interval
		take := func(iv Interval) { got = append(got, iv) }
		require.NoError(t, f.Poll(take), "the file need not exist yet")
		out, err := os.Create(path)
		require.NoError(t, err)
		for rest := data; len(rest) > 0; {
			n := min(1+r.IntN(3000), len(rest))
			_, err := out.Write(rest[:n])
			require.NoError(t, err)
			rest = rest[n:]
			require.NoError(t, f.Poll(take))
		}
		require.Len(t, got, len(want.Intervals)-1, "the last line has no end yet")
		require.NoError(t, f.Finish(take))
		require.NoError(t, f.Close())
		require.NoError(t, out.Close())
		assertSameLog(t, want, NewLog(got))
	}
}

func TestFollowingNoticesALastLineThatWasCutOff(t *testing.T) {
	data, err := os.ReadFile("testdata/cassandra-stress-read.hlog")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "load.hlog")
	require.NoError(t, os.WriteFile(path, data[:len(data)-200], 0o600))
	f := NewFollower(path)
	require.NoError(t, f.Poll(func(Interval) {}))
	assert.ErrorContains(t, f.Finish(func(Interval) {}), "log line 7: decode histogram")
}

func TestFollowingNoticesALogThatShrank(t *testing.T) {
	path := filepath.Join(t.TempDir(), "load.hlog")
	require.NoError(t, os.WriteFile(path, []byte("#comment\n#another\n"), 0o600))
	f := NewFollower(path)
	require.NoError(t, f.Poll(func(Interval) {}))
	require.NoError(t, os.WriteFile(path, []byte("#c\n"), 0o600))
	assert.ErrorContains(t, f.Poll(func(Interval) {}), "shrank from 18 to 3 bytes")
}

func FuzzParserNeverPanics(f *testing.F) {
	data, err := os.ReadFile("testdata/cassandra-stress-read.hlog")
	require.NoError(f, err)
	for line := range strings.SplitSeq(string(data), "\n") {
		f.Add(line)
	}
	f.Add("Tag=,,,")
	f.Fuzz(func(t *testing.T, line string) {
		var p Parser
		iv, ok, err := p.Parse(line)
		if ok {
			require.NoError(t, err)
			require.NotNil(t, iv.Histogram)
		}
	})
}

func TestLargeLogsAreMergedOneByOne(t *testing.T) {
	var pods, small, whole []PodLog
	inMemory, most := 0, 0
	for i := range 5 {
		l := steady(t, 0.1*float64(i), 1+0.25*float64(i%2), 20-i, 10+i)
		chunks, err := PackLog(l, MaxChunks)
		require.NoError(t, err)
		part := v1beta1.Part{Index: int32(i), ClockOffsetMicros: new(int64(i * 100_000)), ClockErrorMicros: new(int64(1000))}
		pod, err := PodLogOf(part, [][]byte{chunks[0][:20], chunks[0][20:]})
		require.NoError(t, err)
		for _, iv := range pod.Log.Intervals {
			require.Nil(t, iv.Histogram, "what is kept has no values")
		}
		assert.Equal(t, l.OperationCount(), pod.Log.OperationCount())
		read := pod.Read
		pod.Read = func() (*Log, error) {
			inMemory++ // the previous one is no longer needed
			most = max(most, inMemory)
			defer func() { inMemory-- }()
			return read()
		}
		pods = append(pods, pod)
		once, err := PodLogOf(part, chunks)
		require.NoError(t, err)
		assert.Nil(t, once.Read, "a small log is read once")
		small = append(small, once)
		whole = append(whole, PodLog{Log: l, Ahead: time.Duration(i) * 100 * time.Millisecond})
	}
	one, err := MergePods(pods)
	require.NoError(t, err)
	all, err := MergePods(whole)
	require.NoError(t, err)
	assertSameLog(t, all, one)
	joined, err := MergePods(small)
	require.NoError(t, err)
	assertSameLog(t, all, joined)
	assert.Equal(t, 1, most)

	byOne, err := Summarize(pods)
	require.NoError(t, err)
	together, err := Summarize(whole)
	require.NoError(t, err)
	assert.Equal(t, together, byOne)
}

func TestAnOffsetWithinItsOwnErrorMovesNoLog(t *testing.T) {
	for _, test := range []struct{ offset, wrong, want int64 }{{5000, 1000, 5000}, {-5000, 1000, -5000}, {1000, 1000, 0}} {
		assert.Equal(t, time.Duration(test.want)*time.Microsecond, ClockAhead(&test.offset, &test.wrong))
	}
	assert.Zero(t, ClockAhead(nil, nil), "not known")
}

func TestPiecesAreSecondsOfAllPodsTogether(t *testing.T) {
	pieces, err := Pieces([]PodLog{{Log: steady(t, 0, 0.1, 34, 3)}})
	require.NoError(t, err)
	require.Len(t, pieces, 3, "the last 0.4 s say little of a second")
	for i, piece := range pieces {
		assert.WithinDuration(t, at(float64(i)), piece.Start, time.Millisecond)
		assert.WithinDuration(t, at(float64(i+1)), piece.End, time.Millisecond)
		assert.Equal(t, int64(30), piece.Operations)
		assert.InDelta(t, 30, piece.Rate(), 1e-6)
	}

	two, err := Pieces([]PodLog{{Log: steady(t, 0, 1, 4, 5)}, {Log: steady(t, 2, 1, 4, 7), Ahead: 2 * time.Second}})
	require.NoError(t, err)
	require.Len(t, two, 4)
	assert.Equal(t, int64(12), two[0].Operations, "by one clock")

	long, err := Pieces([]PodLog{{Log: steady(t, 0, 4, 3, 8)}})
	require.NoError(t, err)
	require.Len(t, long, 3)
	assert.InDelta(t, 2, long[0].Rate(), 0)
}

func TestAGapIsAPieceInWhichNothingWasAnswered(t *testing.T) {
	log := steady(t, 0, 1, 3, 5)
	late := steady(t, 6, 1, 2, 5)
	pieces, err := Pieces([]PodLog{{Log: NewLog(append(log.Intervals, late.Intervals...))}})
	require.NoError(t, err)
	var counts []int64
	for _, piece := range pieces {
		counts = append(counts, piece.Operations)
	}
	assert.Equal(t, []int64{5, 5, 5, 0, 0, 0, 5, 5}, counts)
}

var epoch = time.Date(2026, 11, 21, 0, 15, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}

func histogramOf(t testing.TB, values ...int64) *hdrhistogram.PackedHistogram {
	t.Helper()
	h := hdrhistogram.NewPacked(1, highestValue, 3)
	for _, v := range values {
		require.NoError(t, h.RecordValue(v))
	}
	return h
}

// latencies draws values over six orders of magnitude, as in a load with a long tail.
func latencies(r *rand.Rand, n int) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(50_000 * (1 + r.ExpFloat64()*10))
		if r.IntN(200) == 0 {
			values[i] *= int64(1 + r.IntN(5000))
		}
	}
	return values
}

func service(operation string) Tag { return Tag{Operation: operation, Kind: v1beta1.LatencyService} }

func interval(t testing.TB, from, to float64, tag Tag, values ...int64) Interval {
	return Interval{Start: at(from), End: at(to), Tag: tag, Histogram: histogramOf(t, values...)}
}

// steady returns a log of n intervals of one step, each with the given number of values of one millisecond.
func steady(t testing.TB, from, step float64, n, each int) *Log {
	var ivs []Interval
	for i := range n {
		h := hdrhistogram.NewPacked(1, highestValue, 3)
		require.NoError(t, h.RecordValues(1_000_000, int64(each)))
		ivs = append(ivs, Interval{Start: at(from + float64(i)*step), End: at(from + float64(i+1)*step), Tag: service("WRITE"), Histogram: h})
	}
	return NewLog(ivs)
}

func buckets(h *hdrhistogram.PackedHistogram) map[int64]int64 {
	m := map[int64]int64{}
	h.ForEachBucket(func(value, count int64) bool { m[value] = count; return true })
	return m
}
