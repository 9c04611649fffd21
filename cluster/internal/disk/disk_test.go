package disk

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTrustsTheFlagOnlyWhereItIsEvidence(t *testing.T) {
	for _, test := range []struct {
		name    string
		device  device
		measure bool
		kind    string // if it is not measured
	}{
		{"solid-state disk", device{name: "sda"}, false, SSD},
		{"spinning disk", device{name: "sda", rotational: true}, false, HDD},
		{"virtual disk that says solid-state", device{name: "vda", virtual: true}, false, SSD},
		{"virtual disk that says nothing", device{name: "vda", virtual: true, rotational: true}, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.measure, needsMeasuring(test.device))
			if !test.measure {
				assert.Equal(t, test.kind, fromFlag(test.device).Kind)
			}
		})
	}
}

func TestTellsDisksApartByTheTimeOfARead(t *testing.T) {
	vda := device{name: "vda", virtual: true, rotational: true}
	fast := fromMeasurement(vda, 130*time.Microsecond)
	assert.Equal(t, Verdict{Kind: SSD, Evidence: "vda is virtual and says rotational=1, which is no evidence; random 4 KiB direct reads took 130µs (median)"}, fast)
	assert.Equal(t, HDD, fromMeasurement(vda, 6*time.Millisecond).Kind)
}

func TestAFileSystemWithoutDirectReadsIsNoFault(t *testing.T) {
	verdict := withoutMeasurement(device{name: "zd0", virtual: true, rotational: true})
	assert.Equal(t, HDD, verdict.Kind, "nothing shows that it is better")
	assert.Contains(t, verdict.Evidence, "offers no direct reads")
}

func TestSeesAVirtualDiskBelowALogicalVolume(t *testing.T) {
	sys := t.TempDir()
	for disk, below := range map[string]string{"vda": "", "sda": "", "md0": "vda", "dm-0": "md0", "dm-1": "sda"} {
		dir := filepath.Join(sys, disk)
		for _, part := range []string{"queue", "slaves"} {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, part), 0o755))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "queue/rotational"), []byte("1\n"), 0o644))
		if below != "" {
			require.NoError(t, os.Symlink("../../"+below, filepath.Join(dir, "slaves", below)))
		}
	}
	for disk, virtual := range map[string]bool{"vda": true, "sda": false, "md0": true, "dm-0": true, "dm-1": false} {
		got, err := describe(filepath.Join(sys, disk))
		require.NoError(t, err)
		assert.Equal(t, virtual, got.virtual, disk)
	}
}

func TestReadsWhatTheKernelSaysAboutADisk(t *testing.T) {
	for _, test := range []struct {
		name, disk, rotational, vendor string
		want                           device
	}{
		{"virtio", "vda", "1", "0x1af4", device{name: "vda", rotational: true, virtual: true}},
		{"nvme", "nvme0n1", "0", "", device{name: "nvme0n1"}},
		{"emulated", "sda", "1", "QEMU", device{name: "sda", rotational: true, virtual: true}},
		{"real", "sda", "1", "ATA", device{name: "sda", rotational: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			disk := filepath.Join(t.TempDir(), test.disk)
			partition := filepath.Join(disk, test.disk+"1")
			for _, dir := range []string{"queue", "device", test.disk + "1"} {
				require.NoError(t, os.MkdirAll(filepath.Join(disk, dir), 0o755))
			}
			require.NoError(t, os.WriteFile(filepath.Join(disk, "queue/rotational"), []byte(test.rotational+"\n"), 0o644))
			if test.vendor != "" {
				require.NoError(t, os.WriteFile(filepath.Join(disk, "device/vendor"), []byte(test.vendor+"\n"), 0o644))
			}
			for _, path := range []string{disk, partition} {
				got, err := describe(path)
				require.NoError(t, err)
				assert.Equal(t, test.want, got)
			}
		})
	}
}

func TestMeasuresAndCleansUp(t *testing.T) {
	// The system's temporary directory may be in memory, which has no direct reads.
	dir, err := os.MkdirTemp(".", "probe-")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	median, err := medianRead(dir)
	require.NoError(t, err)
	assert.Positive(t, median)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}
