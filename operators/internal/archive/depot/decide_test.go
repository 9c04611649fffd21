package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/problem"
)

func TestARunsAddressHasABucketAnExperimentAndARun(t *testing.T) {
	for address, want := range map[string][2]string{
		"s3://runs/toy/1":        {"s3://runs", "toy/1"},
		"s3://runs/p/q/toy/1":    {"s3://runs/p/q", "toy/1"},
		"s3://runs/p/q/toy/1/":   {"s3://runs/p/q", "toy/1"},
		"s3://runs/a prefix/t/1": {"s3://runs/a prefix", "t/1"},
	} {
		place, folder, err := SplitRun(address)
		require.NoError(t, err, address)
		assert.Equal(t, want, [2]string{place, folder}, address)
	}
	for address, fault := range map[string]string{
		"s3://":                 "s3:// has no bucket: use s3://bucket/prefix",
		"s3:///toy/1":           "has no bucket",
		"s3://host:9000/t/1":    "has no bucket",
		"s3://x/toy/1":          "s3://x/toy/1 has no valid bucket name (Bucket name cannot be shorter than 3 characters): use s3://bucket/prefix",
		"s3://key@runs/toy/1":   "has no bucket",
		"s3://runs":             "s3://runs is not the address of a run: use s3://bucket/prefix/<experiment>/<run>; ringside list --from s3://runs lists",
		"s3://runs/toy":         "is not the address of a run",
		"s3://runs/p/../../toy": "s3://runs/p/../../toy has an empty folder, a . or a .. in it",
		"s3://runs//toy/1":      "has an empty folder",
	} {
		_, _, err := SplitRun(address)
		assert.ErrorContains(t, err, fault, address)
	}
}

func TestRefusesWhatIsNoPlace(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL", "")
	t.Setenv("AWS_ENDPOINT_URL_S3", "")
	for place, fault := range map[string]string{
		"":                     "no place given: use a folder, or s3://bucket/prefix",
		"gs://bucket":          "gs://bucket is not a supported place: use a folder, or s3://bucket/prefix",
		"s3://runs/../c":       "has an empty folder, a . or a .. in it",
		"/nowhere/to/be/found": "there is no folder /nowhere/to/be/found: mount the volume, or create the folder",
	} {
		_, err := Open(place)
		assert.ErrorContains(t, err, fault, place)
	}
	for _, endpoint := range []string{"storage.example:9000", "ftp://storage.example", "https://key:hidden@storage.example", "https://storage.example/path", "https://", "://"} {
		t.Setenv("AWS_ENDPOINT_URL", endpoint)
		_, err := Open("s3://runs")
		require.ErrorContains(t, err, "AWS_ENDPOINT_URL must have only a scheme, a host and a port", endpoint)
		assert.NotContains(t, err.Error(), "hidden")
	}
}

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

func TestWhatAStorageSaysBecomesAFaultAndItsFix(t *testing.T) {
	for name, test := range map[string]struct {
		err         error
		anonymous   bool
		says        string
		unavailable bool
	}{
		"no bucket":           {err: minio.ErrorResponse{Code: "NoSuchBucket", StatusCode: 404}, says: "there is no bucket runs at storage.example: create it, or use another; AWS_ENDPOINT_URL chooses another storage", unavailable: true},
		"a wrong key":         {err: minio.ErrorResponse{Code: "InvalidAccessKeyId", StatusCode: 403}, says: "the storage at storage.example denies access to bucket runs (InvalidAccessKeyId The access key ID you provided does not exist in our records.): use credentials with read and write access: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", unavailable: true},
		"a wrong secret":      {err: minio.ErrorResponse{Code: "SignatureDoesNotMatch", StatusCode: 403}, says: "denies access to bucket runs (SignatureDoesNotMatch ", unavailable: true},
		"no credentials":      {err: minio.ErrorResponse{Code: "AccessDenied", StatusCode: 403}, anonymous: true, says: "denies anonymous access to bucket runs, but no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", unavailable: true},
		"another region":      {err: minio.ErrorResponse{Code: "AuthorizationHeaderMalformed", StatusCode: 400}, says: "bucket runs is in another region (AuthorizationHeaderMalformed The authorization header is malformed; the region is wrong.): set AWS_REGION to it", unavailable: true},
		"a clock":             {err: minio.ErrorResponse{Code: "RequestTimeTooSkewed", StatusCode: 403}, says: "its clock and this machine's differ: set the clock", unavailable: true},
		"overload":            {err: minio.ErrorResponse{Code: "SlowDown", StatusCode: 503, Message: "Please reduce your request rate.\nReally."}, says: "the storage at storage.example fails (SlowDown Please reduce your request rate.): try again later", unavailable: true},
		"nobody answers":      {err: &url.Error{Op: "Get", URL: "https://storage.example/runs?x", Err: errors.New("connection refused")}, says: "the storage at storage.example does not answer (connection refused): AWS_ENDPOINT_URL chooses another", unavailable: true},
		"Ctrl-C":              {err: &url.Error{Op: "Get", Err: context.Canceled}, says: "context canceled"},
		"no such file":        {err: fmt.Errorf("get: %w", minio.ErrorResponse{Code: "NoSuchKey", StatusCode: 404}), says: fs.ErrNotExist.Error()},
		"what nobody expects": {err: minio.ErrorResponse{Code: "NotImplemented", StatusCode: 400}, says: "the storage at storage.example answered NotImplemented A header you provided implies functionality that is not implemented."},
	} {
		t.Run(name, func(t *testing.T) {
			err := explain(test.err, "runs", "storage.example", test.anonymous)
			assert.ErrorContains(t, err, test.says)
			assert.Equal(t, test.unavailable, problem.IsUnavailable(err))
		})
	}
}
