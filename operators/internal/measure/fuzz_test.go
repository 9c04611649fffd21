package measure

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Meter, the operator and the report read what a load writes. For any input, they must return figures or an error.
func FuzzLog(f *testing.F) {
	for _, pattern := range []string{"*.hlog", "../../archive/testdata/logs/hlog/*.hlog"} {
		files, err := filepath.Glob(filepath.Join("testdata", pattern))
		require.NoError(f, err)
		require.NotEmpty(f, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(text)
		}
	}
	f.Add([]byte("#[Windowed: x]\n#[Counters: hsha start=1 length=2 operations=3 windows=4 unknown=1 cpu_ns=5]\n1,1,1,HISTFAAAADx4nJNpmSzMwMBwigECmKE0I5DpZrBjAYP9B4jAwXWMTMpMqmCsyCTIxA/Egkg0pghhGfqoQBcBAKHJDhA="))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := ReadLog(bytes.NewReader(text))
		if err != nil {
			return
		}
		requireSound(t, l)
		var written bytes.Buffer
		if WriteLog(&written, l) != nil {
			return // such a tag would break a line
		}
		back, err := ReadLog(&written)
		require.NoError(t, err, "what was read and written can be read")
		assert.Equal(t, l.OperationCount(), back.OperationCount())
		assert.Len(t, back.Intervals, len(l.Intervals))
		assert.Len(t, back.Counters, len(l.Counters))
	})
}

// requireSound does everything with a log that the product does. No count is lost, or there is an error.
func requireSound(t *testing.T, l *Log) {
	t.Helper()
	count := l.OperationCount()
	result, err := Summarize([]PodLog{{Log: l}})
	if err == nil {
		require.GreaterOrEqual(t, result.Operations, int64(0))
		for _, decimal := range []v1beta1.Decimal{result.OpRate, result.OpRateMid80, result.OperationSeconds} {
			n, err := Float(decimal)
			require.NoError(t, err)
			require.False(t, math.IsNaN(n) || math.IsInf(n, 0) || n < 0, "%s", decimal)
		}
	}
	_, _ = Rest(l)
	_, _ = Pieces([]PodLog{{Log: l}})
	_, _ = WrongUnit(l, 10)
	for _, do := range []func() (*Log, error){
		func() (*Log, error) { return Coalesce(l, 3) },
		func() (*Log, error) { return Merge(l) },
		func() (*Log, error) {
			chunks, err := PackLog(l, MaxChunks)
			if err != nil {
				return nil, err
			}
			return UnpackLog(chunks)
		},
		func() (*Log, error) { return recorded(l, &Recorder{}) },
		func() (*Log, error) { return recorded(l, &WindowRecorder{}) },
	} {
		if out, err := do(); err == nil {
			require.Equal(t, count, out.OperationCount(), "no count is lost")
		}
	}
}

func recorded(l *Log, r interface {
	Add(Interval) error
	Log() (*Log, error)
}) (*Log, error) {
	for _, iv := range l.Intervals {
		if err := r.Add(iv); err != nil {
			return nil, err
		}
	}
	return r.Log()
}

// Intervals with any times, in any order: twelve bytes each of start, length, tag and count.
func FuzzTimes(f *testing.F) {
	add := func(values ...uint32) {
		var text []byte
		for _, v := range values {
			text = binary.BigEndian.AppendUint32(text, v)
		}
		f.Add(text, uint8(0), false)
		f.Add(text, uint8(20), true)
	}
	add(0, 1000, 1, 1000, 1000, 2)
	add(3600000, 1000, 1, 0, 1000, 1, 3600001, 1, 3)
	add(0, 1, 1, math.MaxUint32, 1, 1)
	add(0, 0, 0)
	f.Fuzz(func(t *testing.T, text []byte, exponent uint8, windowed bool) {
		unit := time.Duration(1) << (exponent % 31) // from a nanosecond to a second
		var timing Timing
		var all []Interval
		for len(text) >= 12 && len(all) < 2000 {
			n := [3]uint32{binary.BigEndian.Uint32(text), binary.BigEndian.Uint32(text[4:]), binary.BigEndian.Uint32(text[8:])}
			text = text[12:]
			start := epoch.Add(time.Duration(n[0]) * unit)
			h := hdrhistogram.NewPacked(1, highestValue, 3)
			require.NoError(t, h.RecordValues(int64(n[2]), int64(n[2]>>8)))
			iv := Interval{Start: start, End: start.Add(time.Duration(n[1]) * unit), Histogram: h, Tag: Tag{Operation: []string{"READ", "WRITE"}[n[2]%2], Kind: tagSuffixes[n[2]/2%3].kind}}
			all = append(all, iv)
			timing.Add(iv)
		}
		contradiction := timing.Against(epoch, epoch.Add(time.Minute))
		require.Equal(t, contradiction, timing.Against(epoch, epoch.Add(time.Minute)))
		l := NewLog(all)
		l.Windowed = windowed
		requireSound(t, l)
	})
}
