package depot_test

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/archive/depot"
	"ringside.dev/ringside/operators/internal/archive/depot/s3fake"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

const run = "toy/20261121-001500"

func quietly(int, int) {}

// exported returns the folder of a finished run.
func exported(t *testing.T, edit func(e *v1beta1.Experiment)) archive.Folder {
	t.Helper()
	operations := int64(600)
	e := simulated.Experiment("toy", "20261121-001500", []v1beta1.ServerSpec{{Name: "quick"}, {Name: "slow"}}, 2, 0,
		v1beta1.PhaseSpec{Name: "write", Repeats: 1, Threads: 5, Operations: &operations})
	if edit != nil {
		edit(e)
	}
	folder, err := simulated.Archive(t.TempDir(), e, nil)
	require.NoError(t, err)
	require.NoError(t, folder.WriteDigests())
	return folder
}

// everyPlace runs a test with a folder and with a bucket. damage overwrites a file at the place, and remove removes
// one, without the package's own code.
func everyPlace(t *testing.T, test func(t *testing.T, d *depot.Depot, damage func(name string), remove func(name string))) {
	t.Run("folder", func(t *testing.T) {
		folder := t.TempDir()
		d, err := depot.Open(folder)
		require.NoError(t, err)
		at := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
		test(t, d, func(name string) { require.NoError(t, os.WriteFile(at(name), []byte("damage"), 0o600)) }, func(name string) { require.NoError(t, os.Remove(at(name))) })
	})
	t.Run("bucket", func(t *testing.T) {
		server, d := bucket(t, "s3://"+s3fake.Bucket+"/a/prefix")
		test(t, d, func(name string) {
			_, err := server.Backend.PutObject(s3fake.Bucket, "a/prefix/"+name, map[string]string{}, strings.NewReader("damage"), 6, nil)
			require.NoError(t, err)
		}, func(name string) {
			_, err := server.Backend.DeleteObject(s3fake.Bucket, "a/prefix/"+name)
			require.NoError(t, err)
		})
	})
}

func bucket(t *testing.T, place string) (*s3fake.Server, *depot.Depot) {
	t.Helper()
	server := s3fake.Start(t)
	for name, value := range server.Environment() {
		t.Setenv(name, value)
	}
	d, err := depot.Open(place)
	require.NoError(t, err)
	return server, d
}

// same requires that two folders have the same files with the same content.
func same(t *testing.T, want, got archive.Folder) {
	t.Helper()
	read := func(folder archive.Folder) map[string]string {
		files := map[string]string{}
		require.NoError(t, filepath.WalkDir(folder.Path, func(file string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			files[strings.TrimPrefix(file, folder.Path)] = string(text)
			return err
		}))
		return files
	}
	assert.Equal(t, read(want), read(got))
}

func TestWhatIsArchivedComesBackByteByByte(t *testing.T) {
	everyPlace(t, func(t *testing.T, d *depot.Depot, _, _ func(string)) {
		folder := exported(t, nil)
		var told []int
		receipt, err := d.Put(t.Context(), folder, func(done, of int) { told = append(told, done, of) })
		require.NoError(t, err)
		digests, err := folder.Verify()
		require.NoError(t, err)
		files := len(digests) + 1
		assert.Equal(t, depot.Receipt{Address: d.String() + "/" + run, Files: files, Sent: files}, receipt)
		assert.Equal(t, []int{1, files}, told[:2])
		assert.Equal(t, []int{files, files}, told[len(told)-2:])

		receipt, err = d.Put(t.Context(), folder, quietly)
		require.NoError(t, err)
		assert.Zero(t, receipt.Sent, "all was there")

		into := archive.Folder{Path: filepath.Join(t.TempDir(), "toy", "1")}
		require.NoError(t, into.Write("hlog/of-another-run.hlog", []byte("x")))
		require.NoError(t, into.Write(archive.MeasurementsFile, []byte("of another run")))
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly))
		same(t, folder, into)

		found, err := d.List(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []depot.Found{{Experiment: "toy", Run: "20261121-001500", Whole: true, Address: d.String() + "/" + run}}, found)
	})
}

// stored returns the number of objects in the storage.
func stored(t *testing.T, server *s3fake.Server) int {
	t.Helper()
	list, err := server.Backend.ListBucket(s3fake.Bucket, nil, gofakes3.ListBucketPage{})
	assert.NoError(t, err)
	return len(list.Contents)
}

func TestAnArchiveThatBreaksOffIsNoRunAndIsGoneOnWith(t *testing.T) {
	for name, ended := range map[string]bool{"the command is ended": true, "the storage goes away": false} {
		t.Run(name, func(t *testing.T) {
			server, d := bucket(t, "s3://"+s3fake.Bucket)
			folder := exported(t, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var fixed atomic.Bool
			server.OnPut = func(n int64) bool {
				if n == 5 { // files are sent side by side
					assert.Eventually(t, func() bool { return stored(t, server) >= 4 }, 20*time.Second, time.Millisecond)
				}
				if n == 5 && ended {
					cancel()
				}
				return n < 5 || fixed.Load()
			}
			_, err := d.Put(ctx, folder, quietly)
			require.ErrorContains(t, err, "archiving was interrupted after ")
			fixed.Store(true)

			err = d.Fetch(t.Context(), run, archive.Folder{Path: t.TempDir()}, quietly)
			require.ErrorContains(t, err, "s3://archives/toy/20261121-001500 is an incomplete archive: ringside archive, where the run was exported, completes it")
			found, err := d.List(t.Context())
			require.NoError(t, err)
			require.Len(t, found, 1)
			assert.False(t, found[0].Whole)

			_, err = d.Put(t.Context(), exported(t, func(e *v1beta1.Experiment) { e.UID = "of-another-cluster" }), quietly)
			require.ErrorContains(t, err, "the place has another run under this name (uid uid, this run has of-another-cluster)")

			receipt, err := d.Put(t.Context(), folder, quietly)
			require.NoError(t, err)
			assert.LessOrEqual(t, receipt.Sent, receipt.Files-4, "four files were there")
			into := archive.Folder{Path: t.TempDir()}
			require.NoError(t, d.Fetch(t.Context(), run, into, quietly))
			same(t, folder, into)
		})
	}
}

func TestTheSameRunExportedAnewTakesTheOldOnesPlace(t *testing.T) {
	everyPlace(t, func(t *testing.T, d *depot.Depot, _, _ func(string)) {
		earlier := exported(t, func(e *v1beta1.Experiment) { e.Spec.Rounds = 1 })
		_, err := d.Put(t.Context(), earlier, quietly)
		require.NoError(t, err)
		later := exported(t, nil)
		_, err = d.Put(t.Context(), later, quietly)
		require.NoError(t, err)
		into := archive.Folder{Path: t.TempDir()}
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly))
		same(t, later, into)

		_, err = d.Put(t.Context(), earlier, quietly)
		require.ErrorContains(t, err, "the place has more of the run than this export")
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly))
		same(t, later, into)
	})
}

func TestDamageIsFoundOnBothEndsAndFixed(t *testing.T) {
	everyPlace(t, func(t *testing.T, d *depot.Depot, damage, remove func(string)) {
		folder := exported(t, nil)
		_, err := d.Put(t.Context(), folder, quietly)
		require.NoError(t, err)

		file := path.Join(run, archive.MeasurementsFile)
		damage(file)
		into := archive.Folder{Path: t.TempDir()}
		err = d.Fetch(t.Context(), run, into, quietly)
		require.ErrorContains(t, err, d.Address(file)+" is damaged: it does not match its line in SHA256SUMS: remove it there, then ringside archive")
		_, err = into.Verify()
		require.Error(t, err, "what was fetched in part is no run either")
		remove(file)
		require.ErrorContains(t, d.Fetch(t.Context(), run, into, quietly), d.Address(file)+" is missing, but SHA256SUMS lists it")
		receipt, err := d.Put(t.Context(), folder, quietly)
		require.NoError(t, err)
		assert.Equal(t, 2, receipt.Sent, "the file, and SHA256SUMS after it")
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly))
		same(t, folder, into)

		damage(path.Join(run, archive.DigestsFile))
		require.ErrorContains(t, d.Fetch(t.Context(), run, into, quietly), "SHA256SUMS is damaged")
		_, err = d.Put(t.Context(), folder, quietly)
		require.NoError(t, err)
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly))

		require.NoError(t, os.WriteFile(filepath.Join(folder.Path, archive.MeasurementsFile), []byte("x"), 0o600))
		_, err = d.Put(t.Context(), folder, quietly)
		unfit := (*depot.UnfitError)(nil)
		require.ErrorAs(t, err, &unfit)
		require.ErrorContains(t, err, "does not match its SHA256SUMS: measurements.csv was changed")
	})
}

func TestAPlaceWithoutTheRunSaysSo(t *testing.T) {
	everyPlace(t, func(t *testing.T, d *depot.Depot, _, _ func(string)) {
		require.NoError(t, d.Reach(t.Context()))
		found, err := d.List(t.Context())
		require.NoError(t, err)
		assert.Empty(t, found)
		err = d.Fetch(t.Context(), run, archive.Folder{Path: t.TempDir()}, quietly)
		require.ErrorIs(t, err, archive.ErrNoRun)
		require.ErrorContains(t, err, "no such run as "+d.Address(run)+": ringside list --from "+d.String()+" lists the runs there")
	})
}

func TestAStorageThatRefusesIsNamedAndNoSecretIs(t *testing.T) {
	for name, test := range map[string]struct {
		place string
		set   map[string]string
		says  string
	}{
		"no bucket":      {place: "s3://other/prefix", says: "there is no bucket other at 127.0.0.1:"},
		"a wrong key":    {set: map[string]string{"AWS_ACCESS_KEY_ID": "wrong"}, says: "denies access to bucket archives (InvalidAccessKeyId"},
		"no credentials": {set: map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, says: "denies anonymous access to bucket archives, but no credentials were found"},
		"nobody there":   {set: map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, says: "the storage at 127.0.0.1:1 does not answer ("},
	} {
		t.Run(name, func(t *testing.T) {
			server := s3fake.Start(t)
			for _, variables := range []map[string]string{server.Environment(), test.set} {
				for name, value := range variables {
					t.Setenv(name, value)
				}
			}
			if test.place == "" {
				test.place = "s3://" + s3fake.Bucket
			}
			d, err := depot.Open(test.place)
			require.NoError(t, err)
			_, put := d.Put(t.Context(), exported(t, nil), quietly)
			_, list := d.List(t.Context())
			for _, err := range []error{put, list, d.Reach(t.Context()), d.Fetch(t.Context(), run, archive.Folder{Path: t.TempDir()}, quietly)} {
				require.True(t, problem.IsUnavailable(err), "%v", err)
				assert.ErrorContains(t, err, test.says)
				assert.NotContains(t, err.Error(), s3fake.SecretKey)
			}
		})
	}
}

func TestAwsFilesLetIn(t *testing.T) {
	server := s3fake.Start(t)
	for name, value := range server.Environment() {
		t.Setenv(name, value)
	}
	file := filepath.Join(t.TempDir(), "credentials")
	require.NoError(t, os.WriteFile(file, []byte("[bench]\naws_access_key_id = "+s3fake.AccessKey+"\naws_secret_access_key = "+s3fake.SecretKey+"\n"), 0o600))
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SHARED_CREDENTIALS_FILE": file, "AWS_PROFILE": "bench"} {
		t.Setenv(name, value)
	}
	d, err := depot.Open("s3://" + s3fake.Bucket)
	require.NoError(t, err)
	assert.NoError(t, d.Reach(t.Context()))
}

// Wherever archiving a later export is interrupted, one of the two exports is complete, and List and Fetch agree on
// which.
func TestALaterExportTakesTheEarlierOnesPlaceInOneStep(t *testing.T) {
	earlier := exported(t, func(e *v1beta1.Experiment) { e.Spec.Rounds = 1 })
	later := exported(t, nil)
	for breakAt := int64(1); ; breakAt += 2 { // each step costs the client its retries
		server, d := bucket(t, "s3://"+s3fake.Bucket)
		_, err := d.Put(t.Context(), earlier, quietly)
		require.NoError(t, err)
		var writes atomic.Int64
		server.OnWrite = func() bool { return writes.Add(1) < breakAt }
		_, broke := d.Put(t.Context(), later, quietly)
		server.OnWrite = nil

		found, err := d.List(t.Context())
		require.NoError(t, err)
		require.Len(t, found, 1)
		assert.True(t, found[0].Whole)
		into := archive.Folder{Path: t.TempDir()}
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly), "broken off at write %d", breakAt)
		_, err = into.Verify()
		require.NoError(t, err)
		if broke == nil {
			same(t, later, into)
			require.Greater(t, breakAt, int64(6), "it was broken off before and after the digests")
			return
		}
		_, err = d.Put(t.Context(), later, quietly)
		require.NoError(t, err)
		require.NoError(t, d.Fetch(t.Context(), run, into, quietly))
		same(t, later, into)
	}
}

func TestAFolderIsPlainOnceALaterExportIsThere(t *testing.T) {
	place := t.TempDir()
	d, err := depot.Open(place)
	require.NoError(t, err)
	_, err = d.Put(t.Context(), exported(t, func(e *v1beta1.Experiment) { e.Spec.Rounds = 1 }), quietly)
	require.NoError(t, err)
	later := exported(t, nil)
	_, err = d.Put(t.Context(), later, quietly)
	require.NoError(t, err)
	same(t, later, archive.Folder{Path: filepath.Join(place, filepath.FromSlash(run))})
}
