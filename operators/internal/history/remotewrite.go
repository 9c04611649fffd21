package history

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// MetricSeries is the samples of one metric with the same labels, in the order of time.
type MetricSeries struct {
	Metric  string
	Labels  map[string]string
	Samples []Sample
}

// Sample is a value at a time.
type Sample struct {
	At    time.Time
	Value float64
}

// most is the number of samples of a request: enough for few requests, and far below the limits of servers.
const most = 5000

// patience is the longest time that a request may take.
const patience = 30 * time.Second

// PushAuthorization is the variable of the environment that has the value of the header Authorization, such as "Bearer secret".
const PushAuthorization = "RINGSIDE_PUSH_AUTHORIZATION"

// Push sends series to the address of a server's remote-write endpoint, by version 1.0 of the protocol. The authorization is the value of
// that header; empty for none. Sending the same again changes nothing.
func Push(ctx context.Context, address, authorization string, all []MetricSeries) error {
	target, err := url.Parse(address)
	if err != nil {
		return err
	}
	// A redirected request would be sent without its samples, and could even succeed.
	client := &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for len(all) > 0 {
		var request []MetricSeries
		request, all = first(all)
		if p := send(ctx, client, target, authorization, encode(request)); p != nil {
			p.Reason, p.What = problem.PrometheusUnavailable, "sending samples to "+shown(target)+": "+p.What
			return *p
		}
	}
	return nil
}

// first splits series into those of one request, at least one, and the others.
func first(all []MetricSeries) (request, rest []MetricSeries) {
	samples := 0
	for i := range all {
		if samples += len(all[i].Samples); samples > most && i > 0 {
			return all[:i], all[i:]
		}
	}
	return all, nil
}

// shown returns the address without what may be secret: password and query.
func shown(target *url.URL) string {
	bare := *target
	bare.RawQuery, bare.Fragment = "", ""
	return bare.Redacted()
}

func send(ctx context.Context, client *http.Client, target *url.URL, authorization string, body []byte) *problem.Problem {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return &problem.Problem{What: err.Error(), Fix: "use another address"}
	}
	for name, value := range map[string]string{
		"Content-Type": "application/x-protobuf", "Content-Encoding": "snappy", "X-Prometheus-Remote-Write-Version": "0.1.0", "User-Agent": "ringside",
	} {
		request.Header.Set(name, value)
	}
	if authorization != "" {
		request.Header.Set("Authorization", strings.TrimSpace(authorization)) // a Secret made of a file ends with a newline
	}
	response, err := client.Do(request)
	if err != nil {
		var failed *url.Error // repeats the address
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return &problem.Problem{What: err.Error(), Fix: "check that the address can be reached"}
	}
	defer response.Body.Close()
	if response.StatusCode/100 == 2 {
		return nil
	}
	answer, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10)) // what could be read is enough
	text := textfmt.OneLine(string(answer))
	return &problem.Problem{What: strings.TrimSuffix(response.Status+": "+text, ": "), Fix: fix(response.StatusCode, text)}
}

// fix returns what to do about a rejected request.
func fix(status int, answer string) string {
	answer = strings.ToLower(answer)
	old := func(text string) bool { return strings.Contains(answer, text) }
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "set " + PushAuthorization + " to the value of the header Authorization, such as \"Bearer secret\""
	case old("out of bounds") || old("out of order") || old("too old"):
		return "let the server accept samples as old as the oldest run, in Prometheus with storage.tsdb.out_of_order_time_window, or leave out older runs"
	case status/100 == 3:
		return "use the address that the server redirects to"
	case status == http.StatusNotFound:
		return "use the address of the remote-write endpoint, in Prometheus /api/v1/write with --web.enable-remote-write-receiver"
	}
	return "read the log of the server"
}
