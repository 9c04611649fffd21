package depot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
)

func TestOnlyWhatIsMissingGoesAndNothingOfAnotherRunIsWrittenOver(t *testing.T) {
	const m1, m2 = archive.MeasurementsDir + "/1.yaml", archive.MeasurementsDir + "/2.yaml"
	manifest := func(uid, note string) []byte {
		return []byte("{apiVersion: ringside.dev/v1beta1, kind: Experiment, metadata: {name: toy, uid: " + uid + ", annotations: {note: " + note + "}}}")
	}
	ours, sum := manifest("ours", "one"), archive.Sum(manifest("ours", "one"))
	digests := archive.Digests{archive.ExperimentFile: sum, "a.csv": "a", m1: "1"}
	run := archive.Identity{Experiment: "toy", Run: "1", UID: "ours"}
	for name, test := range map[string]struct {
		run   archive.Identity
		there present
		want  []string
		// aside files are staged, settle files are moved to their names.
		aside, settle []string
		fault         string
	}{
		"nothing is there":         {there: present{}, want: []string{archive.ExperimentFile, "a.csv", m1}},
		"all is there":             {there: present{manifest: ours, digests: digests, sums: digests}},
		"half of it":               {there: present{manifest: ours, sums: map[string]string{archive.ExperimentFile: sum, m1: "1"}}, want: []string{"a.csv"}},
		"a file that was changed":  {there: present{manifest: ours, digests: digests, sums: map[string]string{archive.ExperimentFile: sum, m1: "?", "a.csv": "a"}}, want: []string{m1}},
		"a sum that is not known":  {there: present{manifest: ours, digests: digests, sums: map[string]string{archive.ExperimentFile: "", m1: "1", "a.csv": "a"}}, want: []string{archive.ExperimentFile}},
		"files without a manifest": {there: present{sums: map[string]string{m1: "1"}}, want: []string{archive.ExperimentFile, "a.csv"}},
		"an earlier export, which stays whole": {there: present{manifest: manifest("ours", "other"), digests: archive.Digests{archive.ExperimentFile: "other", "b.csv": "b"}, sums: map[string]string{archive.ExperimentFile: "other", "b.csv": "b"}},
			want: []string{"a.csv", m1}, aside: []string{archive.ExperimentFile}, settle: []string{archive.ExperimentFile}},
		"half of a later export, beside an earlier one": {there: present{manifest: manifest("ours", "other"), digests: archive.Digests{archive.ExperimentFile: "other", "a.csv": "b"}, sums: map[string]string{archive.ExperimentFile: "other", ".new/" + sum: sum, "a.csv": "b", m1: "1"}},
			aside: []string{"a.csv"}, settle: []string{archive.ExperimentFile, "a.csv"}},
		"all but the names": {there: present{manifest: ours, digests: digests, sums: map[string]string{archive.ExperimentFile: "other", ".new/" + sum: sum, "a.csv": "a", m1: "1"}},
			settle: []string{archive.ExperimentFile}},
		"an export of a later state": {there: present{manifest: []byte(strings.Replace(string(manifest("ours", "other")), "uid:", "resourceVersion: '1001', uid:", 1)), digests: digests, sums: digests},
			run:   archive.Identity{Experiment: "toy", Run: "1", UID: "ours", Version: 999},
			fault: "the place has a later export of the run (resource version 1001, this one has 999): export it again"},
		"an export of an earlier state": {there: present{manifest: []byte(strings.Replace(string(manifest("ours", "other")), "uid:", "resourceVersion: '999', uid:", 1)), digests: digests, sums: digests},
			run: archive.Identity{Experiment: "toy", Run: "1", UID: "ours", Version: 1001}},
		"a later export": {there: present{manifest: manifest("ours", "other"), digests: archive.Digests{archive.ExperimentFile: "other", m1: "1", m2: "2"}},
			fault: "the place has more of the run than this export (2.yaml): archive the later export"},
		"another run": {there: present{manifest: manifest("theirs", "one"), digests: digests},
			fault: "the place has another run under this name (uid theirs, this run has ours): choose another place"},
		"half of another run": {there: present{manifest: manifest("theirs", "one")}, fault: "the place has another run"},
		"what is no manifest": {there: present{manifest: []byte("{kind: Secret}")}, fault: "the place has something else under this name"},
		"runs without a uid":  {run: archive.Identity{Experiment: "toy", Run: "1"}, there: present{manifest: manifest("''", "other")}, fault: "the place has another run"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.run.Experiment == "" {
				test.run = run
			}
			todo, err := missing(test.run, digests, test.there)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, sendings{direct: test.want, aside: test.aside, settle: test.settle}, todo)
		})
	}
}
