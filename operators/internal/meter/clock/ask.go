package clock

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// enough is an error below which an estimate is as good as it needs to be: a log's interval is longer.
const enough = 10 * time.Millisecond

// most readings of one estimate: each halves the range, until the way to the server and back is all that is left of it.
const most = 10

// afterFailure is how long a server that did not answer is left alone.
const afterFailure = time.Second

// Ask asks the server at url for its time until the estimate is good enough, or ctx ends; it tells each estimate. A reading that fails
// is left out.
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

// ask for the time. What else the server says does not matter: a refusal has its time, too.
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
