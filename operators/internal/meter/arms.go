package meter

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/metrics"
)

// arm is one server's part of the load: its lines of the log, and the measurement that they belong to. An ordinary phase has one arm.
type arm struct {
	// tag is the prefix of the arm's lines; empty in an ordinary phase.
	tag         string
	api         *API
	measurement *v1beta1.Measurement
	collector   *Collector
	recorder    recorder
	tags        measure.TagSet
	// part is the result that is delivered for the arm after the load.
	part v1beta1.Part
}

// recorder keeps an arm's intervals until they are delivered.
type recorder interface {
	Add(measure.Interval) error
	Log() (*measure.Log, error)
}

// of returns a suffix for messages that names the arm; empty in an ordinary phase.
func (a *arm) of() string {
	if a.tag == "" {
		return ""
	}
	return " of " + a.tag
}

// arms are all arms of the load.
type arms struct {
	all   []*arm
	byTag map[string]*arm
	// recent is the window over all arms.
	recent window
	// strange is the first error in the log, such as a line that belongs to no arm.
	strange error
}

// findArms reads the measurements of an interleaved phase's arms. An ordinary phase has only the pod's own.
func (r *run) findArms(ctx context.Context) (arms, error) {
	if r.measurement.Spec.Idle { // an idle phase has a log of windows, as interleaved servers have
		return r.newArms([]*arm{{api: r.api, measurement: r.measurement, recorder: &measure.WindowRecorder{}}})
	}
	if len(r.measurement.Spec.Arms) == 0 {
		var recorder recorder = &measure.Recorder{}
		if r.measurement.Spec.Capacity != nil {
			recorder = &measure.WindowRecorder{} // a step is a window: between two steps, nothing is sent
		}
		return r.newArms([]*arm{{api: r.api, measurement: r.measurement, recorder: recorder}})
	}
	var all []*arm
	for _, spec := range r.measurement.Spec.Arms {
		a := &arm{tag: spec.Tag, api: r.api.For(spec.Measurement), recorder: &measure.WindowRecorder{}}
		err := Retry(ctx, "read the orders"+a.of(), func(ctx context.Context) (err error) {
			a.measurement, err = a.api.Measurement(ctx)
			return err
		})
		if err != nil {
			return arms{}, err
		}
		all = append(all, a)
	}
	return r.newArms(all)
}

func (r *run) newArms(all []*arm) (arms, error) {
	out := arms{all: all, byTag: map[string]*arm{}, recent: window{length: metrics.LoadWindowSeconds * time.Second, turns: true}}
	for _, a := range all {
		out.byTag[a.tag] = a
		a.collector = NewCollector(a.measurement, r.config.Attempt, r.share, a.tag)
		if err := r.server.registry.Register(a.collector); err != nil {
			return arms{}, fmt.Errorf("register metrics: %w", err)
		}
	}
	return out, nil
}

// take records an interval of the log.
func (s *arms) take(iv measure.Interval) {
	a := s.all[0]
	if a.tag != "" {
		if a = s.byTag[iv.Tag.Arm]; a == nil {
			if s.strange == nil {
				s.strange = fmt.Errorf("tag %s belongs to no server of the interleaved load", iv.Tag)
			}
			return
		}
		iv.Tag.Arm = "" // the arm's measurement already identifies the server
		s.recent.add(iv)
	}
	if err := a.tags.Add(iv.Tag); err != nil {
		s.strange = cmp.Or(s.strange, err)
		return
	}
	a.collector.Add(iv)
	// The recorder returns an error if histograms change their resolution or times contradict each other.
	if err := a.recorder.Add(iv); err != nil {
		s.strange = cmp.Or(s.strange, err)
	}
}

// takeCounters records the counters of a window. In a duet whose sides have pods in common they belong to no arm, because nothing separates
// the two sides.
func (s *arms) takeCounters(c measure.Counters) {
	a := s.byTag[c.Arm]
	if a == nil {
		return
	}
	if windows, ok := a.recorder.(*measure.WindowRecorder); ok {
		c.Arm = ""
		windows.AddCounters(c)
	}
}

func (s *arms) setActive(active bool) {
	for _, a := range s.all {
		a.collector.SetActive(active)
	}
}

func (s *arms) setCPU(usage *loadtool.Usage) {
	for _, a := range s.all {
		a.collector.SetCPU(usage.UsedRatio, usage.Throttled)
	}
}

// operations returns the number of operations of all arms so far.
func (s *arms) operations() int64 {
	var sum int64
	for _, a := range s.all {
		sum += a.collector.Operations()
	}
	return sum
}

// latest returns the latest op rate and 95th percentile over all arms.
func (s *arms) latest() (opRate float64, p95 int64, ok bool) {
	if len(s.all) == 1 {
		return s.all[0].collector.Latest()
	}
	return latestOf(&s.recent)
}

func (s *arms) tags() []string {
	tags := make([]string, len(s.all))
	for i, a := range s.all {
		tags[i] = a.tag
	}
	return tags
}

// lead returns the arm of the pod's own measurement.
func (s *arms) lead(measurement string) *arm {
	for _, a := range s.all {
		if a.measurement.Name == measurement {
			return a
		}
	}
	return s.all[0]
}
