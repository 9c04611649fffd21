package meter

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// Counts are a pod's operations as its log and its tool tell them.
type Counts struct {
	Operations, Errors, Keys, Unanswered int64
	Outcomes                             []v1alpha1.Outcome
	// Doubt says what does not add up; empty when all does. A measurement with a doubt is invalid.
	Doubt string
}

// summary is what a tool counted by itself. told is false where it said nothing.
type summary struct {
	operations, errors, keys, unanswered int64
	// outcomes of the operations that did not fail, by name.
	outcomes map[string]int64
	// loggedErrors are the failed operations whose times are in the log.
	loggedErrors int64
	told         bool
}

// maxSummary is more than any summary needs.
const maxSummary = 64 << 10

// readSummary reads the name=value lines that a load may leave behind, for each of the tags: names begin with a tag and a dot, and with
// neither for the empty tag of an ordinary phase.
func readSummary(shared folder, tags []string) (map[string]summary, error) {
	file, err := shared.open(summaryName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the load's summary: %w", err)
	}
	defer file.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(file, maxSummary))
	if err != nil {
		return nil, fmt.Errorf("read the load's summary: %w", err)
	}
	return parseSummary(string(data), tags)
}

func parseSummary(text string, tags []string) (map[string]summary, error) {
	found := map[string]*summary{}
	known := map[string]*int64{}
	answered := map[string]*summary{}
	for _, tag := range tags {
		s, prefix := &summary{}, ""
		if tag != "" {
			prefix = tag + "."
		}
		found[tag], answered[prefix+"operations"] = s, s
		for name, field := range map[string]*int64{"operations": &s.operations, "errors": &s.errors, "keys": &s.keys, "logged_errors": &s.loggedErrors,
			"unanswered": &s.unanswered} {
			known[prefix+name] = field
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("the load's summary has the line %q, not name=value", line)
		}
		name = strings.TrimSpace(name)
		into, ok := known[name]
		tag, outcome, isOutcome := cutOutcome(name)
		if isOutcome = isOutcome && found[tag] != nil; !ok && !isOutcome {
			return nil, fmt.Errorf("the load's summary names %q, which means nothing here; it may name %s, and outcome.<name> beside each", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("the load's summary says %q, not a count", line)
		}
		if isOutcome {
			found[tag].count(outcome, n)
			continue
		}
		*into = n
		if s := answered[name]; s != nil {
			s.told = true
		}
	}
	out := map[string]summary{}
	for tag, s := range found {
		out[tag] = *s
	}
	return out, nil
}

// cutOutcome takes the name of a count of an outcome apart: tag.outcome.name, or outcome.name.
func cutOutcome(name string) (tag, outcome string, ok bool) {
	const word = "outcome."
	tag, outcome, ok = strings.Cut("."+name, "."+word)
	return strings.TrimPrefix(tag, "."), outcome, ok && v1alpha1.IsOutcomeName(outcome)
}

func (s *summary) count(outcome string, n int64) {
	if s.outcomes == nil {
		s.outcomes = map[string]int64{}
	}
	s.outcomes[outcome] += n
}

// outcomeList are the counts of outcomes, in the order of names.
func (s *summary) outcomeList() []v1alpha1.Outcome {
	var list []v1alpha1.Outcome
	for _, name := range slices.Sorted(maps.Keys(s.outcomes)) {
		list = append(list, v1alpha1.Outcome{Name: name, Count: s.outcomes[name]})
	}
	return list
}

// doubt about the outcomes: where a load tells them apart, every operation that did not fail has one.
func (s *summary) doubt() string {
	var sum int64
	for _, n := range s.outcomes {
		sum += n
	}
	switch asked := s.operations + s.unanswered; {
	case len(s.outcomes) > v1alpha1.MaxOutcomes:
		return fmt.Sprintf("the load tool tells %d outcomes apart, of %d at most", len(s.outcomes), v1alpha1.MaxOutcomes)
	case len(s.outcomes) > 0 && sum != asked, len(s.outcomes) == 0 && s.unanswered > 0:
		return fmt.Sprintf("the load tool's outcomes are those of %d operations, and it counted %d answered and %d unanswered", sum, s.operations, s.unanswered)
	}
	return ""
}

// reconcile compares what the log holds with what the tool counted and what was asked for.
func reconcile(logged int64, s summary, share orders.Share) Counts {
	c := Counts{Operations: logged, Errors: s.errors, Keys: s.keys, Unanswered: s.unanswered, Outcomes: s.outcomeList()}
	switch {
	case !s.told:
	case logged == s.operations+s.loggedErrors && s.loggedErrors <= s.errors:
		c.Operations = s.operations
	default:
		c.Doubt = fmt.Sprintf("the log holds %d operations, the load tool counted %d answered and %d failed, of which it logged %d", logged, s.operations, s.errors, s.loggedErrors)
		return c
	}
	if share.Operations > 0 && share.DurationSeconds == 0 && c.Operations+c.Errors+c.Unanswered != share.Operations {
		c.Doubt = fmt.Sprintf("%d operations were asked for, %d were answered and %d failed", share.Operations, c.Operations, c.Errors)
		if c.Unanswered > 0 {
			c.Doubt += fmt.Sprintf(", and %d did neither", c.Unanswered)
		}
	}
	if c.Doubt == "" {
		c.Doubt = s.doubt()
	}
	return c
}
