// Package profile asks the pods of a store for profiles of themselves (docs/reference/store-contract.md) and adds them up.
package profile

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/stacks"
)

// Pod of the store.
type Pod struct {
	Name string
	// Address is host:port; empty where the pod gives no profile.
	Address string
}

// ParsePods reads what the operator says of the store's pods: pod=host:port,pod=host:port.
func ParsePods(text string) ([]Pod, error) {
	var pods []Pod
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		name, address, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is not pod=host:port", word)
		}
		pods = append(pods, Pod{name, address})
	}
	return pods, nil
}

// Taken is a profile of all pods that gave one, with its stacks.
type Taken struct {
	Profile v1alpha1.Profile
	Stacks  stacks.Stacks
}

// maxLeftOut of the lines that say what is not there. The CRD allows for more.
const maxLeftOut = 60

// LeaveOut something, and say so.
func (t *Taken) LeaveOut(format string, args ...any) {
	if len(t.Profile.LeftOut) < maxLeftOut {
		t.Profile.LeftOut = append(t.Profile.LeftOut, fmt.Sprintf(format, args...))
	}
}

// None is the profile that was not taken.
func None(event v1alpha1.ProfileEvent, why string) Taken {
	return Taken{Profile: v1alpha1.Profile{Event: event, LeftOut: []string{why}}, Stacks: stacks.Stacks{}}
}

// Taker takes profiles.
type Taker struct {
	client *http.Client
	// pause before a pod is asked again that is giving a profile already, and how often it is asked.
	pause time.Duration
	tries int
}

// NewTaker asks a pod three times within two seconds: the load has not much more time than that.
func NewTaker() *Taker {
	return &Taker{pause: time.Second, tries: 3, client: &http.Client{
		Transport:     &http.Transport{}, // no proxy: the pods are near
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Take the profiles of all pods at once, and add them up. It never fails: what is missing is left out, and told.
func (t *Taker) Take(ctx context.Context, pods []Pod, order v1alpha1.ProfileOrder) Taken {
	answers := make([]answer, len(pods))
	var all sync.WaitGroup
	for i, pod := range pods {
		all.Go(func() { answers[i] = t.ask(ctx, pod, order) })
	}
	all.Wait()
	return merge(order.Event, pods, answers)
}

// answer of a pod.
type answer struct {
	engine, unit    string
	samples, folded int64
	stacks          stacks.Stacks
	err             error
}

// merge what the pods answered, in their order.
func merge(event v1alpha1.ProfileEvent, pods []Pod, answers []answer) Taken {
	taken := Taken{Profile: v1alpha1.Profile{Event: event}, Stacks: stacks.Stacks{}}
	p := &taken.Profile
	var engines []string
	for i, a := range answers {
		switch {
		case a.err != nil:
			taken.LeaveOut("%s: %v", pods[i].Name, a.err)
			continue
		case p.Pods > 0 && a.unit != p.Unit:
			taken.LeaveOut("%s: it counts %s, and others count %s", pods[i].Name, a.unit, p.Unit)
			continue
		}
		p.Pods, p.Unit, p.Samples = p.Pods+1, a.unit, p.Samples+a.samples
		if a.folded > 0 {
			taken.LeaveOut("%s: its %d smallest stacks are folded into %s", pods[i].Name, a.folded, stacks.Folded)
		}
		if !slices.Contains(engines, a.engine) {
			engines = append(engines, a.engine)
		}
		taken.Stacks.Add(a.stacks)
	}
	slices.Sort(engines)
	p.Engine = strings.Join(engines, ", ")
	p.Total, p.Stacks = taken.Stacks.Total(), int64(len(taken.Stacks))
	if len(pods) == 0 {
		taken.LeaveOut("the store has no pods that could be asked")
	}
	return taken
}
