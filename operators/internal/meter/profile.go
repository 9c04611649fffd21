package meter

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/profiles"
)

// profiledPod is a pod of the store that may provide profiles.
type profiledPod struct {
	Name string
	// Address is host:port; empty if the pod provides no profile.
	Address string
}

// parseProfiledPods parses the operator's list of the store's pods: pod=host:port,pod=host:port.
func parseProfiledPods(text string) ([]profiledPod, error) {
	var pods []profiledPod
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		name, address, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is not pod=host:port", word)
		}
		pods = append(pods, profiledPod{name, address})
	}
	return pods, nil
}

// takenProfile is the profile of all pods that provided one, with its stacks.
type takenProfile struct {
	Profile v1beta1.Profile
	Stacks  profiles.Stacks
}

// maxLeftOut is the most lines about what is missing. The CRD allows more.
const maxLeftOut = 60

// LeaveOut records that something is missing.
func (t *takenProfile) LeaveOut(format string, args ...any) {
	if len(t.Profile.LeftOut) < maxLeftOut {
		t.Profile.LeftOut = append(t.Profile.LeftOut, fmt.Sprintf(format, args...))
	}
}

// noProfile returns a profile that was not taken, with the reason.
func noProfile(event v1beta1.ProfileEvent, why string) takenProfile {
	return takenProfile{Profile: v1beta1.Profile{Event: event, LeftOut: []string{why}}, Stacks: profiles.Stacks{}}
}

// profileTaker requests profiles from the pods of a store (docs/reference/store-contract.md) and adds them up.
type profileTaker struct {
	client *http.Client
	// pause is the pause before a busy pod is asked again; tries is the number of attempts.
	pause time.Duration
	tries int
}

// newTaker returns a profileTaker that asks a pod three times within two seconds, because the load does not last much longer than the recording.
func newTaker() *profileTaker {
	return &profileTaker{pause: time.Second, tries: 3, client: &http.Client{
		Transport:     &http.Transport{}, // no proxy, since the pods are in the cluster
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Take requests the profiles of all pods at once and adds them up. It never fails: what is missing is left out and recorded.
func (t *profileTaker) Take(ctx context.Context, pods []profiledPod, order v1beta1.ProfileOrder) takenProfile {
	answers := make([]answer, len(pods))
	var all sync.WaitGroup
	for i, pod := range pods {
		all.Go(func() { answers[i] = t.ask(ctx, pod, order) })
	}
	all.Wait()
	return merge(order.Event, pods, answers)
}

// answer is the answer of a pod.
type answer struct {
	engine, unit    string
	samples, folded int64
	stacks          profiles.Stacks
	err             error
}

// merge adds up the answers of the pods, in their order.
func merge(event v1beta1.ProfileEvent, pods []profiledPod, answers []answer) takenProfile {
	taken := takenProfile{Profile: v1beta1.Profile{Event: event}, Stacks: profiles.Stacks{}}
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
			taken.LeaveOut("%s: its %d smallest stacks are folded into %s", pods[i].Name, a.folded, profiles.Folded)
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
