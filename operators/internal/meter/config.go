package meter

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/internal/meter/orders"
)

// Config identifies the pod's attempt of a measurement, and where to meet the load tool.
type Config struct {
	Namespace, Measurement string
	// Attempt counts from 1, Index from 0.
	Attempt, Index int32
	Pod, Node      string
	// Scratch is the folder shared with the load tool; Socket is the socket for its container.
	Scratch, Socket string
	// Listen is the address of /metrics.
	Listen string
	// Linger is the longest wait for a last scrape.
	Linger time.Duration
	// Profilers are the store's pods to be profiled.
	Profilers []profiledPod
	// Counters are the addresses at which the store's pods report their counters; empty if they do not.
	Counters []string
	// TerminationLog is the file for the container's termination message.
	TerminationLog string
}

// File names in Scratch: the tool's log and its optional summary.
const (
	hlogName    = "load.hlog"
	summaryName = "summary"
)

// ConfigFromEnvironment reads the operator's orders. lookup is os.LookupEnv.
func ConfigFromEnvironment(lookup func(string) (string, bool)) (Config, error) {
	e := environment{lookup: lookup}
	c := Config{
		Namespace:      e.required(orders.EnvNamespace),
		Measurement:    e.required(orders.EnvMeasurement),
		Attempt:        e.number(orders.EnvAttempt, "", 1),
		Index:          e.number(orders.EnvIndex, "", 0),
		Pod:            e.required(orders.EnvPod),
		Node:           e.optional(orders.EnvNode, ""),
		Scratch:        e.required(orders.EnvScratch),
		Socket:         e.required(orders.EnvSocket),
		Listen:         e.optional(orders.EnvListen, fmt.Sprintf(":%d", orders.MetricsPort)),
		Linger:         time.Duration(e.number(orders.EnvLinger, strconv.Itoa(orders.DefaultLinger), 0)) * time.Second,
		TerminationLog: e.optional(orders.EnvTerminationLog, "/dev/termination-log"),
	}
	c.Counters = e.addresses(orders.EnvCounters)
	var err error
	if c.Profilers, err = parseProfiledPods(e.optional(orders.EnvProfilers, "")); err != nil {
		e.faults = append(e.faults, fmt.Sprintf("%s: %v", orders.EnvProfilers, err))
	}
	if len(e.faults) > 0 {
		return Config{}, fmt.Errorf("%s", strings.Join(e.faults, "; "))
	}
	return c, nil
}

// environment collects the errors of all variables, to report them together.
type environment struct {
	lookup func(string) (string, bool)
	faults []string
}

func (e *environment) optional(name, fallback string) string {
	if v, ok := e.lookup(name); ok && v != "" {
		return v
	}
	return fallback
}

// addresses splits a list; an empty list has none.
func (e *environment) addresses(name string) []string {
	list := e.optional(name, "")
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func (e *environment) required(name string) string {
	v := e.optional(name, "")
	if v == "" {
		e.faults = append(e.faults, name+" is not set (the operator sets it)")
	}
	return v
}

func (e *environment) number(name, fallback string, least int64) int32 {
	text := e.optional(name, fallback)
	if text == "" {
		e.faults = append(e.faults, name+" is not set (the operator sets it)")
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < least {
		e.faults = append(e.faults, fmt.Sprintf("%s is %q, not a number of at least %d", name, text, least))
	}
	return int32(n)
}
