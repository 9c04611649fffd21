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
)

// summary is what a tool counted by itself. told is false where it said nothing.
type summary struct {
	operations, errors, keys, unanswered int64
	// notBegun operations were due, and given up before they began.
	notBegun int64
	// outcomes of the operations that did not fail, by name.
	outcomes map[string]int64
	// loggedErrors are the failed operations whose times are in the log.
	loggedErrors int64
	// errorKinds are why operations failed; nil where the load does not tell.
	errorKinds map[v1alpha1.ErrorKind]int64
	search     search
	recovery   recovery
	told       bool
}

// maxSummary in bytes is more than any summary needs: of 16 servers with 300 steps each.
const maxSummary = 1 << 20

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
	data, err := io.ReadAll(io.LimitReader(file, maxSummary+1))
	if err != nil {
		return nil, fmt.Errorf("read the load's summary: %w", err)
	}
	if len(data) > maxSummary {
		return nil, fmt.Errorf("the load's summary is longer than %d bytes", maxSummary)
	}
	return parseSummary(string(data), tags)
}

func parseSummary(text string, tags []string) (map[string]summary, error) {
	found := map[string]*summary{}
	for _, tag := range tags {
		found[tag] = &summary{}
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
		if err := takeLine(found, strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return nil, fmt.Errorf("the load's summary %w", err)
		}
	}
	out := map[string]summary{}
	for tag, s := range found {
		out[tag] = *s
	}
	return out, nil
}

// takeLine gives a line to the summary whose tag its name begins with.
func takeLine(found map[string]*summary, name, value string) error {
	for tag, s := range found {
		word, ours := name, true
		if tag != "" {
			word, ours = strings.CutPrefix(name, tag+".")
		}
		if !ours {
			continue
		}
		if known, err := s.take(word, value); known {
			return err
		}
	}
	words := strings.Join(slices.Sorted(maps.Keys((&summary{}).fields())), ", ")
	return fmt.Errorf("has the unknown name %q; use %s, outcome.<name>, error.<kind> and step.<number>, each with its server's tag as a prefix if there are several", name, words)
}

// fields are the counts that a summary may name, by their names.
func (s *summary) fields() map[string]*int64 {
	return map[string]*int64{
		"operations": &s.operations, "errors": &s.errors, "keys": &s.keys, "logged_errors": &s.loggedErrors, "unanswered": &s.unanswered,
		"not_begun": &s.notBegun,
		"capacity":  &s.search.capacity, "settled": &s.search.settled,
	}
}

// take a count; known is false for a name that means nothing.
func (s *summary) take(name, value string) (known bool, err error) {
	if number, ok := strings.CutPrefix(name, stepWord); ok {
		return true, s.search.add(number, value)
	}
	if word, ok := strings.CutPrefix(name, recoveryWord); ok {
		return true, s.recovery.take(word, value)
	}
	field := s.fields()[name]
	outcome, isOutcome := strings.CutPrefix(name, outcomeWord)
	kind, isKind := strings.CutPrefix(name, errorWord)
	if field == nil && !(isOutcome && v1alpha1.IsOutcomeName(outcome)) && !(isKind && isErrorKind(kind)) {
		return false, nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return true, fmt.Errorf("says %q, not a count", name+"="+value)
	}
	switch {
	case isKind:
		s.countError(v1alpha1.ErrorKind(kind), n)
		return true, nil
	case isOutcome:
		s.count(outcome, n)
		return true, nil
	}
	*field = n
	s.told = s.told || field == &s.operations
	return true, nil
}
