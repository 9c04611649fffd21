package clock

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// enough is the error below which an estimate is good enough: it is less than a log's interval.
const enough = 10 * time.Millisecond

// most is the most readings of an estimate. Each halves the range, until only the round trip to the server is left.
const most = 10

// afterFailure is the pause after a failed reading.
const afterFailure = time.Second

// Ask reads the time of the server at url until the estimate is good enough, or ctx ends. It calls tell with each estimate, and ignores
// failed readings.
func Ask(ctx context.Context, client *http.Client, url string, tell func(Estimate)) {
	var readings []Reading
	var estimate Estimate
	trip := time.Duration(0)
	var pause time.Duration
	for range most {
		wait := time.NewTimer(max(pause, time.Until(Next(estimate, time.Now(), trip))))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return
		}
		reading, err := ask(ctx, client, url)
		if err != nil {
			pause = afterFailure
			continue
		}
		pause = 0
		trip = reading.Answered.Sub(reading.Asked)
		readings = append(readings, reading)
		estimate = Of(readings)
		tell(estimate)
		if estimate.Known && estimate.Error <= enough {
			return
		}
	}
}

// ask reads the server's time. Any response has it, even an error.
func ask(ctx context.Context, client *http.Client, url string) (Reading, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return Reading{}, fmt.Errorf("ask for the time: %w", err)
	}
	asked := time.Now()
	response, err := client.Do(request)
	if err != nil {
		return Reading{}, fmt.Errorf("ask for the time: %w", err)
	}
	answered := time.Now()
	_ = response.Body.Close()
	server, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return Reading{}, fmt.Errorf("ask for the time: %w", err)
	}
	return Reading{Asked: asked, Answered: answered, Server: server}, nil
}

// Watch estimates the offset again and again, and returns the latest estimate at any time; see Ask. It ends with ctx.
type Watch struct{ latest atomic.Pointer[Estimate] }

// watchEvery is the time between two estimates: clocks drift by less than a millisecond a minute.
const watchEvery = 10 * time.Minute

// Run asks the server at url until ctx ends.
func (w *Watch) Run(ctx context.Context, client *http.Client, url string) {
	for ctx.Err() == nil {
		var estimate Estimate
		Ask(ctx, client, url, func(e Estimate) { estimate = e })
		if estimate.Known || ctx.Err() == nil {
			w.latest.Store(&estimate)
		}
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
		}
	}
}

// Estimate returns the latest estimate.
func (w *Watch) Estimate() Estimate {
	if latest := w.latest.Load(); latest != nil {
		return *latest
	}
	return Estimate{}
}
