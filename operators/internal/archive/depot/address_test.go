package depot

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
