package main

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/images/internal/serverclient"
)

// ordersError is an invalid order. Its message names the variable and the fix.
type ordersError string

func (e ordersError) Error() string { return string(e) }

func refuse(format string, arguments ...any) error {
	return ordersError(fmt.Sprintf(format, arguments...))
}

// orders is the task of this pod.
type orders struct {
	operation string
	// server is the type of the server under test.
	server string
	// hosts are those of the server under test; port is the same on all of them.
	hosts []string
	port  int
	// operations or seconds bounds the phase; the other is 0.
	operations, seconds int64
	keys                int64
	// keyOffset and keyCount are this pod's share of the keys, counted from 0.
	keyOffset, keyCount int64
	threads             int64
	// targetRate is in operations per second; 0 means closed-loop.
	targetRate  int64
	consistency string
	// replicationFactor is that of the keyspace that a write creates.
	replicationFactor int64
	hlog, summary     string
	scratch           string

	// Parameters of the experiment.
	distribution        string
	columns, columnSize int64
	retries             int64
	interval, heap      string
	// profile is the text of a user profile, and ops its operations with their shares; for the operation user only.
	profile, ops string
}

// user is the operation of a user profile.
const user = "user"

// defaultInterval is short because the tool begins its first interval at the whole second before the load, and omits
// intervals without operations. With intervals of one second, the op rate of a short run would be wrong by up to that
// second.
const defaultInterval = "100ms"

var (
	consistencies = []string{"ANY", "ONE", "TWO", "THREE", "LOCAL_ONE", "QUORUM", "LOCAL_QUORUM", "EACH_QUORUM", "ALL"}
	distributions = []string{"gaussian", "uniform", "sequential"}

	// singleConnection lists the server types that serve one connection at a time: a second thread would wait forever.
	singleConnection = []string{"simple"}

	intervalPattern = regexp.MustCompile(`^[1-9][0-9]*(s|ms)$`)
	heapPattern     = regexp.MustCompile(`^[1-9][0-9]*[mg]$`)
	// A profile without the table's definition would need a table that somebody else made.
	profilePattern = regexp.MustCompile(`(^|[\n{,])\s*table_definition\s*:`)
	opsPattern     = regexp.MustCompile(`^ops\([A-Za-z][A-Za-z0-9_]{0,23}=[1-9][0-9]{0,5}(,[A-Za-z][A-Za-z0-9_]{0,23}=[1-9][0-9]{0,5}){0,7}\)$`)
	insertsOnly    = regexp.MustCompile(`^ops\(insert=[0-9]+\)$`)
)

// readOrders reads the environment. Every error is an ordersError.
func readOrders(getenv func(string) string) (orders, error) {
	in := source{getenv: getenv}
	o := orders{
		operation:         in.oneOf("RINGSIDE_OPERATION", "", []string{"write", "read", user}),
		server:            getenv("RINGSIDE_SERVER_TYPE"),
		operations:        in.number("RINGSIDE_OPERATIONS", 0, 1),
		seconds:           in.number("RINGSIDE_DURATION_SECONDS", 0, 1),
		keys:              in.number("RINGSIDE_KEYS", -1, 1),
		threads:           in.number("RINGSIDE_THREADS", -1, 1),
		targetRate:        in.number("RINGSIDE_TARGET_RATE", 0, 0),
		consistency:       in.oneOf("RINGSIDE_CONSISTENCY", "LOCAL_ONE", consistencies),
		replicationFactor: in.number("RINGSIDE_REPLICATION_FACTOR", 1, 1),
		hlog:              in.needed("RINGSIDE_HLOG"),
		summary:           in.needed("RINGSIDE_SUMMARY"),
		scratch:           in.needed("RINGSIDE_SCRATCH"),
		distribution:      in.oneOf("RINGSIDE_PARAM_DISTRIBUTION", "gaussian", distributions),
		columns:           in.number("RINGSIDE_PARAM_COLUMNS", 5, 1),
		columnSize:        in.number("RINGSIDE_PARAM_COLUMN_SIZE", 34, 1),
		retries:           in.number("RINGSIDE_PARAM_RETRIES", 9, 0),
		interval:          in.matching("RINGSIDE_PARAM_LOG_INTERVAL", defaultInterval, intervalPattern),
		heap:              in.matching("RINGSIDE_PARAM_HEAP", "512m", heapPattern),
		profile:           in.like("RINGSIDE_PARAM_PROFILE", "a user profile with a table_definition", profilePattern),
		ops:               in.like("RINGSIDE_PARAM_OPS", "ops(insert=1,one=3)", opsPattern),
	}
	o.keyOffset = in.number("RINGSIDE_KEY_OFFSET", 0, 0)
	o.keyCount = in.number("RINGSIDE_KEY_COUNT", o.keys, 1)
	if in.err == nil {
		o.hosts, o.port, in.err = parseEndpoints(getenv("RINGSIDE_ENDPOINTS"))
	}
	connections := in.number("RINGSIDE_CONNECTIONS", o.threads, 1)
	switch {
	case in.err != nil:
		return o, in.err
	case (o.operations == 0) == (o.seconds == 0):
		return o, refuse("set one of RINGSIDE_OPERATIONS and RINGSIDE_DURATION_SECONDS, not both and not neither")
	case o.keyOffset+o.keyCount > o.keys:
		return o, refuse("keys %d to %d are not among RINGSIDE_KEYS=%d", o.keyOffset, o.keyOffset+o.keyCount-1, o.keys)
	case getenv("RINGSIDE_CAPACITY_PERCENTILE") != "":
		return o, refuse("RINGSIDE_CAPACITY_PERCENTILE is set: cassandra-stress searches for no capacity, use the load cassandra-load for that phase's experiment")
	case o.operation == user && (o.profile == "" || o.ops == ""):
		return o, refuse("RINGSIDE_PARAM_PROFILE or RINGSIDE_PARAM_OPS is empty: the operation user needs a profile, and its operations as in ops(insert=1)")
	case o.operation == user && !serverclient.OverCQL(o.server):
		return o, refuse("RINGSIDE_SERVER_TYPE is %q: user profiles are CQL, which this server does not speak", o.server)
	case o.operation == user && o.keyCount != o.keys:
		return o, refuse("RINGSIDE_KEY_COUNT is %d of RINGSIDE_KEYS=%d: each load pod would create the table of the profile, use 1 pod", o.keyCount, o.keys)
	case connections != o.threads:
		return o, refuse("RINGSIDE_CONNECTIONS is %d for RINGSIDE_THREADS=%d: each thread of cassandra-stress has its own connection, leave them out or make them equal", connections, o.threads)
	case o.threads > 1 && slices.Contains(singleConnection, o.server):
		return o, refuse("RINGSIDE_THREADS is %d, but the server %s serves one connection at a time and a second one would wait permanently: use 1 thread", o.threads, o.server)
	}
	return o, nil
}

// parseEndpoints parses host:port,host:port. cassandra-stress supports only one port for all hosts.
func parseEndpoints(list string) (hosts []string, port int, err error) {
	for endpoint := range strings.SplitSeq(list, ",") {
		host, digits, err := net.SplitHostPort(endpoint)
		number, bad := strconv.Atoi(digits)
		if err != nil || bad != nil || host == "" {
			return nil, 0, refuse("RINGSIDE_ENDPOINTS is %q: it lists host:port,host:port", list)
		}
		if port != 0 && number != port {
			return nil, 0, refuse("RINGSIDE_ENDPOINTS is %q: cassandra-stress needs the same port on all hosts", list)
		}
		hosts, port = append(hosts, host), number
	}
	return hosts, port, nil
}

// source reads variables and keeps the first error.
type source struct {
	getenv func(string) string
	err    error
}

func (s *source) fail(format string, arguments ...any) {
	if s.err == nil {
		s.err = refuse(format, arguments...)
	}
}

func (s *source) needed(name string) string {
	value := s.getenv(name)
	if value == "" {
		s.fail("%s must be set", name)
	}
	return value
}

// number reads a whole number. An unset variable has the fallback value; a negative fallback means that the variable is
// required.
func (s *source) number(name string, fallback, least int64) int64 {
	text := s.getenv(name)
	if text == "" && fallback >= 0 {
		return fallback
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < least {
		s.fail("%s is %q: a whole number from %d on is needed", name, text, least)
	}
	return value
}

func (s *source) oneOf(name, fallback string, known []string) string {
	value := s.getenv(name)
	if value == "" && fallback != "" {
		return fallback
	}
	if !slices.Contains(known, value) {
		s.fail("%s is %q: it is one of %s", name, value, strings.Join(known, ", "))
	}
	return value
}

func (s *source) matching(name, fallback string, pattern *regexp.Regexp) string {
	if value := s.like(name, fallback, pattern); value != "" {
		return value
	}
	return fallback
}

// like reads a text in the form of the example; an empty one if the variable is unset.
func (s *source) like(name, example string, pattern *regexp.Regexp) string {
	value := s.getenv(name)
	if value != "" && !pattern.MatchString(value) {
		s.fail("%s is %q: it looks like %s", name, value, example)
	}
	return value
}
