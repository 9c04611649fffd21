package cli

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/history"
	"ringside.dev/ringside/operators/internal/history/planted"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// nightly returns a user's desk with an archive of planted runs in the folder volume.
func nightly(t *testing.T, p planted.Plan) *desk {
	t.Helper()
	d := &desk{t: t}
	d.app = &App{Out: &d.out, Err: &d.err, Width: func() int { return 80 }, Now: time.Now}
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("volume", 0o755))
	_, err := planted.Write("volume", p)
	require.NoError(t, err)
	return d
}

func TestHistoryFindsAPlantedChangeAtItsRunAndNoOther(t *testing.T) {
	for seed := range uint64(5) {
		d := nightly(t, planted.Plan{Runs: 20, Seed: seed, Slow: 13, Share: 0.05})
		out, said := d.do(exitVerdict, "history", "--from", "volume", "--experiment", planted.Experiment, "--fail-on", "slower", "--threshold", "2%")
		lines := strings.Split(out, "\n")
		assert.Equal(t, "1 change found in 20 runs of nightly from 20261101-010000 to 20261120-010000: 1 for the worse.", lines[0], "seed %d", seed)
		assert.Regexp(t, `^disruptor +read +op rate +20261112-010000 +20261113-010000 +0\.9[4-6]\d +0\.9\d\d to 0\.9\d\d +0\.\d{4} +slower$`, lines[3])
		assert.Contains(t, out, "Between 20261112-010000 and 20261113-010000 changed: disruptor: plugin from 5e689e2b0167 to 555555555555.\n")
		assert.Contains(t, said, "ringside: disruptor: slower compared with hsha since run 20261113-010000: op rate of read, ratio 0.9")
		assert.Contains(t, said, "written to results/comparisons/nightly-history.html\n")
		page, err := os.ReadFile("results/comparisons/nightly-history.html")
		require.NoError(t, err)
		assert.Contains(t, string(page), "1 change found in 20 runs")
		if seed > 0 {
			continue
		}
		d.do(exitDone, "history", "--from", "volume", "--fail-on", "slower", "--threshold", "10%")
		d.do(exitDone, "history", "--from", "volume", "--fail-on", "faster")
		d.do(exitDone, "history", "--from", "volume", "--server", "xedin", "--fail-on", "slower")
		out, _ = d.do(exitDone, "history", "--from", "volume", "--since", "20261113", "--fail-on", "slower")
		assert.Contains(t, out, "No change found in 8 runs of nightly from 20261113-010000 to 20261120-010000.\nToo few runs: a change can be found in ")
	}
}

func TestHistoryPassesAChangeThatWasUndone(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 30, Seed: 1, Slow: 11, Share: 0.2, Edit: func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m != nil && run > 20 && m.Spec.Server == "disruptor" {
			rate, err := measure.Float(m.Status.Result.OpRate)
			require.NoError(t, err)
			m.Status.Result.OpRate = measure.Rate(rate / 0.8)
		}
	}})
	out, _ := d.do(exitDone, "history", "--from", "volume", "--fail-on", "slower")
	assert.Contains(t, out, "2 changes found in 30 runs of nightly from 20261101-010000 to 20261130-010000: 1 for the worse.")
	d.do(exitVerdict, "history", "--from", "volume", "--fail-on", "faster")
}

func TestHistoryShowsTheRunsThatCanBeRead(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05})
	at := func(run int, name string) string {
		return filepath.Join("volume", planted.Experiment, planted.Run(run), name)
	}
	require.NoError(t, os.WriteFile(at(5, archive.MeasurementsFile), []byte("damage"), 0o600))
	require.NoError(t, os.Remove(at(7, archive.DigestsFile)))
	require.NoError(t, os.RemoveAll(at(9, "")))
	require.NoError(t, os.CopyFS(at(9, ""), os.DirFS(at(8, ""))))
	early := archive.Folder{Path: at(12, "")} // failed before its first measurement: nothing is damaged
	e, err := early.Experiment()
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(early.Path))
	e.Status.Finished = 0
	require.NoError(t, errors.Join(early.WriteExperiment(e), early.WriteRows(nil), early.WriteDigests()))
	out, said := d.do(exitInvalid, "history", "--from", "volume")
	assert.Contains(t, out, "1 change found in 16 runs of nightly")
	var lines []string
	for line := range strings.Lines(said) {
		if strings.Contains(line, "left out:") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	assert.Equal(t, []string{
		"volume/nightly/20261105-010000 is left out: volume/nightly/20261105-010000 does not match its SHA256SUMS: measurements.csv was changed: archive or copy it again from where it was exported",
		"volume/nightly/20261107-010000 is left out: the archive is incomplete: there is no SHA256SUMS",
		"volume/nightly/20261109-010000 is left out: the folder has run 20261108-010000 of experiment nightly",
	}, lines)
	assert.Contains(t, said, "ringside: 3 runs of nightly could not be read: remove what is damaged, archive it again, or leave it out with --since\n")
}

// As after ringside run --invalid-ok: what is valid is compared, and the exit code is the worse one.
func TestHistoryLooksForChangesBesideInvalidMeasurements(t *testing.T) {
	for name, test := range map[string]struct {
		night, code int
		slow        float64
		failOn      string
	}{
		"the last night":               {20, exitInvalid, 0, "slower,invalid"},
		"it alone":                     {20, exitInvalid, 0, "invalid"},
		"unasked":                      {20, exitDone, 0, "slower"},
		"an earlier night":             {19, exitDone, 0, "slower,invalid"},
		"the last night, and a change": {20, exitVerdict, 0.05, "slower,invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			d := nightly(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: test.slow, Edit: func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
				if m != nil && run == test.night && m.Spec.Server == "xedin" {
					simulated.Invalidate(m, "target rate: missed")
				}
			}})
			_, said := d.do(test.code, "history", "--from", "volume", "--fail-on", test.failOn, "--threshold", "2%")
			invalid := "ringside: 3 of 9 measurements of run 20261120-010000 are invalid: ringside table shows why\n"
			assert.Equal(t, test.night == 20 && test.failOn != "slower", strings.Contains(said, invalid), said)
			assert.Equal(t, test.slow > 0, strings.Contains(said, "disruptor: slower"), said)
		})
	}
}

func TestHistoryFailsOnTheLatestSeriesOnly(t *testing.T) {
	longer := func(from, to int) func(int, *v1beta1.Experiment, *v1beta1.Measurement) {
		return func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
			if m != nil && run >= from && run <= to {
				m.Spec.Operations = 120
			}
		}
	}
	d := nightly(t, planted.Plan{Runs: 22, Seed: 1, Slow: 11, Share: 0.2, Edit: longer(21, 22)})
	out, _ := d.do(exitDone, "history", "--from", "volume", "--fail-on", "slower")
	assert.Contains(t, out, "1 change found in 22 runs of nightly from 20261101-010000 to 20261122-010000: 1 for the worse.")
	assert.Contains(t, out, "  slower (earlier series)\n")
	assert.Contains(t, out, "and --fail-on acts on the latest series of each server only.\n")
	page, err := os.ReadFile("results/comparisons/nightly-history.html")
	require.NoError(t, err)
	assert.Contains(t, string(page), "since run 20261111-010000, in an earlier series: op rate of read")

	d = nightly(t, planted.Plan{Runs: 22, Seed: 1, Slow: 11, Share: 0.2, Edit: longer(18, 20)})
	_, said := d.do(exitVerdict, "history", "--from", "volume", "--fail-on", "slower")
	assert.Contains(t, said, "ringside: disruptor: slower compared with hsha since run 20261111-010000: op rate of read", "the series continues after nights of another one")
}

// Each step is below the threshold; together they are not.
func TestHistoryFindsACreepingRegression(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 48, Seed: 1, Edit: func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m != nil && m.Spec.Server == "disruptor" {
			rate, err := measure.Float(m.Status.Result.OpRate)
			require.NoError(t, err)
			m.Status.Result.OpRate = measure.Rate(rate * (1 - 0.025*float64((run-1)/12)))
		}
	}})
	out, said := d.do(exitVerdict, "history", "--from", "volume", "--fail-on", "slower", "--threshold", "4%")
	assert.Regexp(t, `\nLatest runs of disruptor compared with its best, up to 20261112-010000: op rate of read, ratio 0\.9[23]\d \(0\.9\d+ to 0\.9\d+\)\.\n`, out)
	assert.Regexp(t, `ringside: disruptor: slower compared with hsha since run 20261113-010000: .*, and ratio 0\.9[23]\d \(.*\) of the latest runs to those before\n`, said)
}

// The server recovered, too, but under another load.
func TestHistoryPassesAChangeUnderALoadThatIsNoLongerMeasured(t *testing.T) {
	other := func(from, to int) func(int, *v1beta1.Experiment, *v1beta1.Measurement) {
		return func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement) {
			switch {
			case run < from || run > to:
			case m != nil:
				m.Spec.Threads = 8
			default:
				e.Spec.Phases[0].Threads = 8
			}
		}
	}
	plan := planted.Plan{Runs: 24, Seed: 1, Slow: 11, Share: 0.2, Edit: other(21, 24)}
	d := nightly(t, plan)
	out, _ := d.do(exitDone, "history", "--from", "volume", "--fail-on", "slower")
	assert.Contains(t, out, "  slower (no longer measured)\n")
	assert.Contains(t, out, "The latest run of disruptor does not measure read, 4 threads, last measured in 20261120-010000: --fail-on passes its changes.\n")
	assert.NotContains(t, out, "has no valid op rate")
	plan.Edit = other(17, 20)
	_, said := nightly(t, plan).do(exitVerdict, "history", "--from", "volume", "--fail-on", "slower")
	assert.Contains(t, said, "ringside: disruptor: slower", "the series continues after nights with another load")
}

// As labels, 10 is before 2.
func TestHistorySortsAndFiltersRunsByTime(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 12, Seed: 1, Name: strconv.Itoa})
	runs := func(args ...string) (found []string) {
		out, _ := d.do(exitDone, append([]string{"history", "--from", "volume", "-o", "csv"}, args...)...)
		for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			found = append(found, strings.Split(line, ",")[1])
		}
		return found
	}
	assert.Equal(t, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}, runs())
	assert.Equal(t, []string{"9", "10", "11", "12"}, runs("--since", "9"))
	assert.Equal(t, []string{"10", "11", "12"}, runs("--since", "20261110"))
	assert.Len(t, runs("--since", "2026"), 12)
	for since, says := range map[string]string{
		"2027": `--since is "2027", but the latest run of nightly is 12: use that or an earlier one`,
		"13":   `--since is "13": use the identifier of an archived run of nightly, or a time, as in 20261101`,
	} {
		_, said := d.do(exitBadInput, "history", "--from", "volume", "--since", since)
		assert.Equal(t, "ringside: "+says+"\n", said)
	}
}

func TestHistoryPrintsANoteOfManyRunsOnce(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 3, Seed: 1})
	for run := 1; run <= 3; run++ {
		folder := archive.Folder{Path: filepath.Join("volume", planted.Experiment, planted.Run(run))}
		require.NoError(t, folder.Write("manifests/measurements/broken.yaml", []byte("kind: Pod")))
		require.NoError(t, folder.WriteDigests())
	}
	_, said := d.do(exitDone, "history", "--from", "volume")
	assert.Equal(t, 1, strings.Count(said, "a measurement was left out"), said)
	assert.Contains(t, said, "volume/nightly/20261101-010000: a measurement was left out: manifests/measurements/broken.yaml is Pod of ")
	assert.Contains(t, said, " (and of 2 other runs)\n")
}

func TestHistoryOfOneRun(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 1, Seed: 1})
	out, _ := d.do(exitDone, "history", "--from", "volume", "--fail-on", "slower")
	assert.Equal(t, "No change found in 1 run of nightly.\nToo few runs: a change can be found in 10 comparable runs or more, and the longest series has 1.\n", out)
}

func TestHistoryNamesWhatStartsAnotherSeries(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 4, Seed: 1, Edit: func(run int, _ *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m != nil && run == 3 {
			m.Spec.Operations = 120
		}
	}})
	out, _ := d.do(exitDone, "history", "--from", "volume")
	assert.Contains(t, out, "Another series begins with 20261103-010000, which did not measure the same as the run before: operations of read: 60 and 120.\n")
	out, _ = d.do(exitDone, "history", "--from", "volume", "-o", "csv")
	var branches []string
	for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		branches = append(branches, strings.Split(line, ",")[2])
	}
	assert.Equal(t, []string{"1", "1", "2", "1"}, branches)
}

func TestHistoryRejectsBadInputInALine(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 2, Seed: 1})
	require.NoError(t, os.CopyFS("volume/other", os.DirFS("volume/nightly")))
	require.NoError(t, os.Mkdir("empty", 0o755))
	for says, args := range map[string][]string{
		"there is no run in empty: ringside archive copies one there":                                               {"--from", "empty"},
		"no experiment given: use --experiment with one of nightly, other [InvalidUsage]":                           {"--from", "volume"},
		"there is no run of nightyl in volume: choose from nightly, other":                                          {"--from", "volume", "--experiment", "nightyl"},
		"none of the 2 runs of other in volume can be read":                                                         {"--from", "volume", "--experiment", "other"},
		`--since is "2027", but the latest run of nightly is 20261102-010000: use that or an earlier one`:           {"--from", "volume", "--experiment", "nightly", "--since", "2027"},
		`no server "hsah" was measured: choose from disruptor, xedin`:                                               {"--from", "volume", "--experiment", "nightly", "--server", "hsah"},
		`--fail-on is "unresolved": choose from slower, faster, invalid [InvalidUsage]`:                             {"--from", "volume", "--fail-on", "unresolved"},
		`--threshold is "5": use a share of at least 0% and less than 100%, as in 3% [InvalidUsage]`:                {"--from", "volume", "--threshold", "5"},
		`--push is not the address of a server: use one such as http://prometheus:9090/api/v1/write [InvalidUsage]`: {"--from", "volume", "--push", "prometheus:9090"},
		`unknown format "xml": choose from table, wide, csv, tsv, json, openmetrics [InvalidUsage]`:                 {"--from", "volume", "-o", "xml"},
		`unexpected argument "volume": see ringside history --help [InvalidUsage]`:                                  {"volume"},
	} {
		_, said := d.do(exitBadInput, append([]string{"history"}, args...)...)
		lines := strings.Split(strings.TrimSpace(said), "\n")
		assert.Equal(t, "ringside: "+says, lines[len(lines)-1])
	}
	_, said := d.do(exitUnavailable, "history", "--from", "missing")
	assert.Contains(t, said, "there is no folder missing")
}

func TestHistoryIsSentToPrometheusBeforeAChangeFails(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 20, Seed: 1, Slow: 13, Share: 0.05})
	status, requests := http.StatusNoContent, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		w.WriteHeader(status)
	}))
	defer server.Close()
	t.Setenv(history.PushAuthorization, "Bearer secret")
	args := []string{"history", "--from", "volume", "--push", server.URL, "--fail-on", "slower"}
	_, said := d.do(exitVerdict, args...)
	assert.Positive(t, requests)
	assert.Regexp(t, `\nsent \d+ samples to Prometheus\n`, said)
	assert.Contains(t, said, "ringside: disruptor: slower compared with hsha")
	status = http.StatusInternalServerError
	_, said = d.do(exitVerdict, args...)
	assert.Contains(t, said, "ringside: disruptor: slower compared with hsha")
	assert.Contains(t, said, "sending samples to "+server.URL+": 500 Internal Server Error: read the log of the server [PrometheusUnavailable]")
	d.do(exitUnavailable, args[:5]...)
}

func TestHistoryForPromtoolHasComparisonsAndFigures(t *testing.T) {
	d := nightly(t, planted.Plan{Runs: 3, Seed: 1})
	out, _ := d.do(exitDone, "history", "--from", "volume", "-o", "openmetrics", "--server", "xedin")
	assert.Contains(t, out, `ringside_history_comparison{baseline="hsha",experiment="nightly",first_run="20261101-010000",kind="ratio",load="read",metric="op_rate",server="xedin"} `)
	assert.Contains(t, out, `ringside_history_figure{experiment="nightly",first_run="20261101-010000",load="read",metric="op_rate",server="hsha"} `)
	assert.NotContains(t, out, "disruptor")
	assert.True(t, strings.HasSuffix(out, "\n# EOF\n"))
	out, _ = d.do(exitDone, "history", "--from", "volume", "-o", "openmetrics", "--absolute")
	assert.NotContains(t, out, "ringside_history_comparison")
}
