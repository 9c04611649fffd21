package main

import (
	"fmt"
	"strings"
)

const home = "/opt/stress"

// toolArguments is java's command line for cassandra-stress.
//
// A write is asked for as a mix of nothing but writes: the plain form opens one more connection for the schema and never closes
// it, which a server that serves one connection at a time does not survive. The schema is made before (prepareSchema).
// There is no warm-up by the tool (its operations would write keys and stand in no log): rounds and phases are for that.
// Failed operations are counted, after as many tries as the tool makes by default, and their time stays in the log.
func toolArguments(o orders) []string {
	command := []string{"read"}
	if o.operation == "write" {
		command = []string{"mixed", "ratio(write=1)"}
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
		"-mode", "thrift", "-port", fmt.Sprintf("thrift=%d", o.port), "-node", strings.Join(o.hosts, ","),
		"-rate")
	arguments = append(arguments, rate...)
	return append(arguments,
		"-pop", population(o),
		"-col", fmt.Sprintf("n=FIXED(%d)", o.columns), fmt.Sprintf("size=FIXED(%d)", o.columnSize),
		"-errors", "ignore", fmt.Sprintf("retries=%d", o.retries),
		"-log", "hdrfile="+o.hlog, "interval="+o.interval, "no-settings")
}

// bound of the phase. At a constant rate a duration is given as the operations that are due in it: at the end of a duration the tool leaves out
// those that were due and could not begin, which waited longest.
func bound(o orders) string {
	switch {
	case o.seconds == 0:
		return fmt.Sprintf("n=%d", o.operations)
	case o.targetRate > 0:
		return fmt.Sprintf("n=%d", o.targetRate*o.seconds)
	}
	return fmt.Sprintf("duration=%ds", o.seconds)
}

// population says which keys are touched, counted from 1. Writes visit this pod's share in order, once if there are as many
// operations as keys in it. Reads draw from all keys; gaussian is what cassandra-stress reads by default, and did when the
// published comparison was made.
func population(o orders) string {
	if o.operation == "write" || o.distribution == "sequential" {
		return fmt.Sprintf("seq=%d..%d", o.keyOffset+1, o.keyOffset+o.keyCount)
	}
	return fmt.Sprintf("dist=%s(1..%d)", o.distribution, o.keys)
}
