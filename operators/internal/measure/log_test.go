package measure

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
