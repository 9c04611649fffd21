package meter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/profiles"
)

// Headers of a pod's answer: the sampling engine, the unit, and optionally the number of samples and of folded stacks.
const (
	engineHeader  = "Ringside-Profile-Engine"
	unitHeader    = "Ringside-Profile-Unit"
	samplesHeader = "Ringside-Profile-Samples"
	foldedHeader  = "Ringside-Profile-Folded"
)

var (
	engines = []string{"perf_events", "ctimer", "itimer", "alloc", "lock", "wall"}
	units   = []string{"ns", "bytes", "samples"}
)

const (
	// maxAnswer is the largest answer of a pod.
	maxAnswer = 16 << 20
	// grace is the additional time for an answer after the recording.
	grace = 20 * time.Second
	// maxFault is the longest error message of a pod that is kept.
	maxFault = 300
)

// errBusy reports that a pod is already recording a profile, for example for an abandoned attempt.
var errBusy = errors.New("busy")

// ask requests a profile from a pod, and retries if the pod is busy.
func (t *profileTaker) ask(ctx context.Context, pod profiledPod, order v1beta1.ProfileOrder) answer {
	if pod.Address == "" {
		return answer{err: fmt.Errorf("it has no TCP port named %s", v1beta1.ProfilePortName)}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(order.Seconds)*time.Second+grace)
	defer cancel()
	var last answer
	for try := range t.tries {
		if try > 0 {
			select {
			case <-time.After(t.pause):
			case <-ctx.Done():
				return last
			}
		}
		if last = t.once(ctx, pod, order); !errors.Is(last.err, errBusy) {
			return last
		}
	}
	return last
}

func (t *profileTaker) once(ctx context.Context, pod profiledPod, order v1beta1.ProfileOrder) answer {
	query := url.Values{"event": {order.Event.String()}, "seconds": {strconv.Itoa(int(order.Seconds))}}
	at := url.URL{Scheme: "http", Host: pod.Address, Path: "/profile", RawQuery: query.Encode()}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return answer{err: err}
	}
	response, err := t.client.Do(request)
	if err != nil {
		return answer{err: unwrapped(err)}
	}
	defer response.Body.Close() //nolint:errcheck // only read
	if response.StatusCode != http.StatusOK {
		return answer{err: faultOf(response)}
	}
	a := answer{
		engine: response.Header.Get(engineHeader), unit: response.Header.Get(unitHeader), stacks: profiles.Stacks{},
		samples: told(response, samplesHeader), folded: told(response, foldedHeader),
	}
	if !slices.Contains(engines, a.engine) || !slices.Contains(units, a.unit) {
		return answer{err: fmt.Errorf("it sampled with the unknown engine %.40q or unit %.40q", a.engine, a.unit)}
	}
	body := &io.LimitedReader{R: response.Body, N: maxAnswer + 1}
	err = a.stacks.Read(body)
	switch {
	case body.N <= 0:
		return answer{err: fmt.Errorf("it answered more than %d MiB", maxAnswer>>20)}
	case err != nil:
		return answer{err: err}
	}
	return a
}

// told returns the number in an optional header.
func told(response *http.Response, header string) int64 {
	n, err := strconv.ParseInt(response.Header.Get(header), 10, 64)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// faultOf returns the error in a response that is not a profile, from its first line.
func faultOf(response *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxFault)) // the part before a read error is enough
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	fault := fmt.Errorf("%d: %s", response.StatusCode, strings.ToValidUTF8(line, "?"))
	if line == "" {
		fault = errors.New(response.Status)
	}
	if response.StatusCode == http.StatusConflict {
		return fmt.Errorf("%w: %w", errBusy, fault)
	}
	return fault
}

// unwrapped removes the method and the address, because the message already names the pod.
func unwrapped(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
