package clock

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }

func TestReadingsBoundTheOffset(t *testing.T) {
	for name, test := range map[string]struct {
		readings []Reading
		want     Estimate
	}{
		"none": {nil, Estimate{}},
		"one leaves a second and the way": {[]Reading{{Asked: at(300), Answered: at(320), Server: at(0)}},
			Estimate{Offset: -190 * time.Millisecond, Error: 510 * time.Millisecond, Known: true}},
		"two on both sides of the server's second": {[]Reading{{Asked: at(990), Answered: at(1000), Server: at(0)}, {Asked: at(1010), Answered: at(1020), Server: at(1000)}},
			Estimate{Offset: 5 * time.Millisecond, Error: 15 * time.Millisecond, Known: true}},
		"a clock that was set meanwhile": {[]Reading{{Asked: at(0), Answered: at(1), Server: at(0)}, {Asked: at(5000), Answered: at(5001), Server: at(9000)}}, Estimate{}},
	} {
		assert.Equal(t, test.want, Of(test.readings), name)
	}
}

// A reading at the expected change of the server's second halves the range, for any offset.
func TestAFewReadingsFindAnyOffset(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		offset := time.Duration(random.Int64N(int64(20*time.Second))) - 10*time.Second
		trip := time.Duration(random.Int64N(int64(6 * time.Millisecond)))
		now := noon.Add(time.Duration(random.Int64N(int64(time.Second))))
		var readings []Reading
		for range most {
			asked := Next(Of(readings), now, trip)
			server := asked.Add(trip / 2).Add(-offset)
			now = asked.Add(trip)
			readings = append(readings, Reading{Asked: asked, Answered: now, Server: server.Truncate(time.Second)})
		}
		estimate := Of(readings)
		require.True(t, estimate.Known)
		assert.LessOrEqual(t, (estimate.Offset - offset).Abs(), estimate.Error)
		assert.LessOrEqual(t, estimate.Error, enough)
	}
}

func TestAsksAServerThatRefusesEverythingButTheTime(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer server.Close()
	var last Estimate
	Ask(t.Context(), server.Client(), server.URL, func(e Estimate) { last = e })
	require.True(t, last.Known)
	assert.LessOrEqual(t, last.Offset.Abs(), last.Error+time.Millisecond, "it is this machine's own clock")
	assert.Less(t, last.Error, 300*time.Millisecond)
}

func TestLeavesAServerThatDoesNotAnswerAlone(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if asked++; asked <= 2 {
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	begun := time.Now()
	var last Estimate
	Ask(t.Context(), server.Client(), server.URL, func(e Estimate) { last = e })
	assert.True(t, last.Known, "what failed used up no more than its tries")
	assert.GreaterOrEqual(t, time.Since(begun), 2*afterFailure)
}
