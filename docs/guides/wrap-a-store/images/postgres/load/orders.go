package main

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// scripts are pgbench's own transactions, by the names of operations.
var scripts = []string{"tpcb-like", "simple-update", "select-only"}

// orders is the task of this pod.
type orders struct {
	operation  string
	host, port string
	// operations or seconds bounds the phase; the other is 0.
	operations, seconds    int
	keys, threads          int
	hlog, summary, scratch string
}

func readOrders(getenv func(string) string) (orders, error) {
	o := orders{operation: getenv("RINGSIDE_OPERATION"), hlog: getenv("RINGSIDE_HLOG"), summary: getenv("RINGSIDE_SUMMARY"), scratch: getenv("RINGSIDE_SCRATCH")}
	var errs []error
	refuse := func(name, allowed string) {
		errs = append(errs, fmt.Errorf("%s is %q: use %s", name, getenv(name), allowed))
	}
	number := func(name string, least int) int {
		value, err := strconv.Atoi(getenv(name))
		if getenv(name) != "" && (err != nil || value < least) {
			refuse(name, fmt.Sprintf("a whole number from %d", least))
		}
		return value
	}
	o.operations, o.seconds = number("RINGSIDE_OPERATIONS", 1), number("RINGSIDE_DURATION_SECONDS", 1)
	o.keys, o.threads = number("RINGSIDE_KEYS", 1), max(number("RINGSIDE_THREADS", 1), 1)
	var err error
	if o.host, o.port, err = net.SplitHostPort(getenv("RINGSIDE_ENDPOINTS")); err != nil || strings.Contains(getenv("RINGSIDE_ENDPOINTS"), ",") {
		refuse("RINGSIDE_ENDPOINTS", "one host:port")
	}
	if !slices.Contains(scripts, o.operation) {
		refuse("RINGSIDE_OPERATION", "one of "+strings.Join(scripts, ", "))
	}
	if (o.operations == 0) == (o.seconds == 0) {
		refuse("RINGSIDE_OPERATIONS", "either it or RINGSIDE_DURATION_SECONDS")
	}
	if o.operations%o.threads != 0 {
		refuse("RINGSIDE_OPERATIONS", "a multiple of RINGSIDE_THREADS, because each client of pgbench does as many")
	}
	// pgbench's constant rate has random distances, not equal ones.
	if rate := number("RINGSIDE_TARGET_RATE", 0); rate > 0 {
		refuse("RINGSIDE_TARGET_RATE", "0")
	}
	if connections := number("RINGSIDE_CONNECTIONS", 1); connections > 0 && connections != o.threads {
		refuse("RINGSIDE_CONNECTIONS", "as many as RINGSIDE_THREADS")
	}
	return o, errors.Join(errs...)
}

// server returns the arguments that psql and pgbench share.
func (o orders) server() []string {
	return []string{"--host=" + o.host, "--port=" + o.port, "--username=postgres"}
}

// mostThreads is the most threads of pgbench itself, which serve several clients each.
const mostThreads = 4

// arguments returns the arguments of pgbench for the phase.
func (o orders) arguments(prefix string) []string {
	bound := fmt.Sprintf("--time=%d", o.seconds)
	if o.operations > 0 {
		bound = fmt.Sprintf("--transactions=%d", o.operations/o.threads)
	}
	return append(o.server(), "--no-vacuum", "--protocol=prepared", "--builtin="+o.operation, fmt.Sprintf("--client=%d", o.threads),
		fmt.Sprintf("--jobs=%d", min(o.threads, mostThreads)), bound, "--log", "--log-prefix="+prefix)
}
