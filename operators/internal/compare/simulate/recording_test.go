package simulate

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

var recording = flag.String("recording", "", "an exported run of cassandra-interleaved, from which testdata/reads.txt is made again")

// logName matches the logs of the servers with similar tails. The first round is the warm-up. xedin is left out: its threads spin.
var logName = regexp.MustCompile(`-r(\d+)-(disruptor|hsha|hsha-again|nonblocking|threadedselector|threadpool)-(read|read-rate)-1\.hlog$`)

// TestRecording reduces the logs of a run to testdata/reads.txt, whose first lines describe it.
func TestRecording(t *testing.T) {
	if *recording == "" {
		t.Skip("makes test data: needs -recording")
	}
	paths, err := filepath.Glob(filepath.Join(*recording, "hlog", "*.hlog"))
	require.NoError(t, err)
	lines := map[string]string{}
	for _, path := range paths {
		parts := logName.FindStringSubmatch(path)
		if parts == nil || parts[1] == "1" {
			continue
		}
		phase, kind, from := "closed", v1beta1.LatencyService, 40.0
		if parts[3] == "read-rate" {
			phase, kind, from = "rate", v1beta1.LatencyResponse, 3.0
		}
		file, err := os.Open(path)
		require.NoError(t, err)
		log, err := measure.ReadLog(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		merged, err := log.Total(kind)
		require.NoError(t, err)
		counts := map[int]int64{}
		merged.ForEachBucket(func(nanos, count int64) bool {
			if ms := float64(nanos) / 1e6; ms >= from {
				counts[int(math.Floor(perOctave*math.Log2(ms)))] += count
			}
			return true
		})
		var line strings.Builder
		fmt.Fprintf(&line, "%s %s %s %d", phase, parts[1], parts[2], merged.TotalCount())
		last := 0
		for _, bucket := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&line, " %d", bucket-last)
			if counts[bucket] > 1 {
				fmt.Fprintf(&line, "*%d", counts[bucket])
			}
			last = bucket
		}
		lines[fmt.Sprintf("%s %2s %s", phase, parts[1], parts[2])] = line.String()
	}
	text := readsHeader
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		text += lines[key] + "\n"
	}
	require.NoError(t, os.WriteFile("testdata/reads.txt", []byte(text), 0o644))
}

const readsHeader = `# Latencies of reads that Cassandra answered on 26 November 2026 in make compare-servers (docs/results/compare-servers-26-november.csv), rounds
# 2 to 16. Each line is one server in one round: phase, round, server, reads, then the buckets from 40 ms (closed) or 3 ms (rate) up, each as
# its distance from the previous one, and *count if it holds more than one read. Bucket b is from 2^(b/32) to 2^((b+1)/32) ms.
#   rate    500 reads/s (a fifth of the capacity), response times, 11 windows of 0.5 s, between them those of the other servers
#   closed  50 connections in a closed loop (at capacity), service times, two windows of 0.5 s
# Made by: go test ./operators/internal/compare/simulate -run TestRecording -recording <exported run>
`
