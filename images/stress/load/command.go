package main

import (
	"fmt"
	"strings"

	"ringside.dev/ringside/images/internal/serverclient"
)

const home = "/opt/stress"

// toolArguments returns the arguments of java for cassandra-stress.
//
// A write is expressed as a mix of writes only: the plain write command opens an additional connection for the schema
// and never closes it, which blocks a server that serves one connection at a time. The schema is created before
// (prepareTable). The tool runs no warm-up, whose operations would write keys without being logged: rounds and phases
// serve that purpose. Failed operations are counted after the tool's default number of retries, and their time stays in
// the log.
func toolArguments(o orders) []string {
	command, columns := []string{"read"}, []string{"-col", fmt.Sprintf("n=FIXED(%d)", o.columns), fmt.Sprintf("size=FIXED(%d)", o.columnSize)}
	switch o.operation {
	case "write":
		command = []string{"mixed", "ratio(write=1)"}
	case user: // the profile has the columns
		command, columns = []string{user, "profile=" + profilePath(o), o.ops}, nil
	}
	rate := []string{fmt.Sprintf("threads=%d", o.threads)}
	if o.targetRate > 0 {
		rate = append(rate, fmt.Sprintf("fixed=%d/s", o.targetRate))
	}
	arguments := []string{
		"-server", "-ea", "-Xms" + o.heap, "-Xmx" + o.heap, "-XX:+PerfDisableSharedMem",
		"-Djava.io.tmpdir=" + o.scratch, "-Duser.home=" + o.scratch, "-Duser.language=en", "-Duser.country=US",
		"-Dcassandra.storagedir=" + o.scratch,
		"-Dlogback.configurationFile=file://" + home + "/conf/logback.xml",
		"-cp", home + "/tools/lib/*:" + home + "/lib/*",
		"org.apache.cassandra.stress.Stress",
	}
	arguments = append(arguments, command...)
	arguments = append(arguments, bound(o), "no-warmup", "cl="+o.consistency,
		"-mode")
	arguments = append(arguments, mode(o)...)
	arguments = append(arguments, "-node", strings.Join(o.hosts, ","), "-rate")
	arguments = append(arguments, rate...)
	arguments = append(append(arguments, "-pop", population(o)), columns...)
	return append(arguments,
		"-errors", "ignore", fmt.Sprintf("retries=%d", o.retries),
		"-log", "hdrfile="+o.hlog, "interval="+o.interval, "no-settings")
}

// mode returns the arguments of the protocol. native cql3 prepares its statements.
func mode(o orders) []string {
	if serverclient.OverCQL(o.server) {
		return []string{"native", "cql3", "-port", fmt.Sprintf("native=%d", o.port)}
	}
	return []string{"thrift", "-port", fmt.Sprintf("thrift=%d", o.port)}
}

// bound returns the argument that bounds the phase. At a constant rate a duration is converted to a number of
// operations: at the end of a duration the tool discards the operations that are due but have not started, which have
// waited longest.
func bound(o orders) string {
	switch {
	case o.bound.Seconds == 0:
		return fmt.Sprintf("n=%d", o.bound.Operations)
	case o.targetRate > 0:
		return fmt.Sprintf("n=%d", o.targetRate*o.bound.Seconds)
	}
	return fmt.Sprintf("duration=%ds", o.bound.Seconds)
}

// population returns the argument for the keys, counted from 1. Writes visit this pod's share in order, once if the
// number of operations equals that of its keys. Reads draw from all keys; gaussian is the default of cassandra-stress,
// also at the time of the published comparison. A user profile that only inserts writes.
func population(o orders) string {
	writes := o.operation == "write" || o.operation == user && insertsOnly.MatchString(o.ops)
	if writes || o.distribution == "sequential" {
		return fmt.Sprintf("seq=%d..%d", o.keys.Offset+1, o.keys.Offset+o.keys.Count)
	}
	return fmt.Sprintf("dist=%s(1..%d)", o.distribution, o.keys.All)
}

// profilePath is where the tool reads the user profile.
func profilePath(o orders) string { return o.scratch + "/profile.yaml" }
