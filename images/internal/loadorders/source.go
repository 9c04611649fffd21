// Package loadorders reads the orders of a load from its environment (docs/reference/load-contract.md).
package loadorders

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Error is an invalid order. Its message names the variable and the fix.
type Error string

func (e Error) Error() string { return string(e) }

// Refuse returns an Error with the formatted message.
func Refuse(format string, arguments ...any) error {
	return Error(fmt.Sprintf(format, arguments...))
}

// Source reads variables and keeps the first error in Err.
type Source struct {
	Getenv func(string) string
	Err    error
}

func (s *Source) fail(format string, arguments ...any) {
	if s.Err == nil {
		s.Err = Refuse(format, arguments...)
	}
}

// Needed reads a text that must not be empty.
func (s *Source) Needed(name string) string {
	value := s.Getenv(name)
	if value == "" {
		s.fail("%s must be set", name)
	}
	return value
}

// Number reads a whole number. An unset variable has the fallback value; a negative fallback means that the variable is
// required.
func (s *Source) Number(name string, fallback, least int64) int64 {
	text := s.Getenv(name)
	if text == "" && fallback >= 0 {
		return fallback
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < least {
		s.fail("%s is %q: a whole number from %d on is needed", name, text, least)
	}
	return value
}

// OneOf reads one of the known values. An unset variable has the fallback value, if there is one.
func (s *Source) OneOf(name, fallback string, known []string) string {
	value := s.Getenv(name)
	if value == "" && fallback != "" {
		return fallback
	}
	if !slices.Contains(known, value) {
		s.fail("%s is %q: it is one of %s", name, value, strings.Join(known, ", "))
	}
	return value
}

// Matching reads a text in the form of the fallback value, which an unset variable has.
func (s *Source) Matching(name, fallback string, pattern *regexp.Regexp) string {
	if value := s.Like(name, fallback, pattern); value != "" {
		return value
	}
	return fallback
}

// Like reads a text in the form of the example; an empty one if the variable is unset.
func (s *Source) Like(name, example string, pattern *regexp.Regexp) string {
	value := s.Getenv(name)
	if value != "" && !pattern.MatchString(value) {
		s.fail("%s is %q: it looks like %s", name, value, example)
	}
	return value
}

// Bound is what ends a phase: a number of operations of this pod, or a duration in seconds. The other is 0.
type Bound struct{ Operations, Seconds int64 }

// Bound reads what ends the phase.
func (s *Source) Bound() Bound {
	b := Bound{s.Number("RINGSIDE_OPERATIONS", 0, 1), s.Number("RINGSIDE_DURATION_SECONDS", 0, 1)}
	if (b.Operations == 0) == (b.Seconds == 0) {
		s.fail("set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS, not both and not neither")
	}
	return b
}

// Keys is the population, and this pod's share of it, counted from 0.
type Keys struct{ All, Offset, Count int64 }

// Keys reads the population.
func (s *Source) Keys() Keys {
	k := Keys{All: s.Number("RINGSIDE_KEYS", -1, 1), Offset: s.Number("RINGSIDE_KEY_OFFSET", 0, 0)}
	k.Count = s.Number("RINGSIDE_KEY_COUNT", k.All, 1)
	if k.Offset+k.Count > k.All {
		s.fail("keys %d to %d are not among RINGSIDE_KEYS=%d", k.Offset, k.Offset+k.Count-1, k.All)
	}
	return k
}

// Endpoints reads the hosts of the server under test, and their port. The tool supports only one port for all hosts.
func (s *Source) Endpoints(tool string) (hosts []string, port int) {
	const name = "RINGSIDE_ENDPOINTS"
	list := s.Getenv(name)
	for endpoint := range strings.SplitSeq(list, ",") {
		host, digits, err := net.SplitHostPort(endpoint)
		number, bad := strconv.Atoi(digits)
		if err != nil || bad != nil || host == "" {
			s.fail("%s is %q: it lists host:port,host:port", name, list)
			return nil, 0
		}
		if port != 0 && number != port {
			s.fail("%s is %q: %s needs the same port on all hosts", name, list, tool)
			return nil, 0
		}
		hosts, port = append(hosts, host), number
	}
	return hosts, port
}
