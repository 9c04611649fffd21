package hoststate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNamesWhatCameAndWhatWent(t *testing.T) {
	before := State{"/run/lock", "mount /a", "module veth", "sysctl kernel/panic = 0"}
	for _, test := range []struct {
		name   string
		after  State
		ignore []string
		want   []string
	}{
		{"nothing, in whatever order", State{"module veth", "sysctl kernel/panic = 0", "mount /a", "/run/lock"}, nil, nil},
		{"a file and a module", append(State{"/run/ringside-cluster", "module br_netfilter"}, before...), nil,
			[]string{"new:  /run/ringside-cluster", "new:  module br_netfilter"}},
		{"a second mount on one directory", append(State{"mount /a"}, before...), nil, []string{"new:  mount /a"}},
		{"a value", State{"/run/lock", "mount /a", "module veth", "sysctl kernel/panic = 1"}, nil,
			[]string{"new:  sysctl kernel/panic = 1", "gone: sysctl kernel/panic = 0"}},
		{"a setting that comes with a module", append(State{"sysctl net/netfilter/nf_conntrack_max = 262144"}, before...), nil, nil},
		{"what is gone", before[1:], nil, []string{"gone: /run/lock"}},
		{"what packages brought is theirs, what a cluster wrote is not", append(State{"packages with sha256 1", "/etc/systemd/system/x.service", "/run/ringside-cluster/x", "/opt/containerd", "mount /b"}, before...), nil,
			[]string{"new:  /opt/containerd", "new:  /run/ringside-cluster/x", "new:  mount /b"}},
		{"modules that the kernel loads on demand", append(State{"module overlay", "module nf_tables", "module nft_fib_ipv4", "module br_netfilter", "module bridge"}, before...), nil,
			[]string{"new:  module br_netfilter"}},
		{"a module that is unloaded", []string{before[0], before[1], before[3]}, nil, []string{"gone: module veth"}},
		{"not what others do", append(State{"/run/other/x", "/run/mine"}, before...), []string{"/run/other"}, []string{"new:  /run/mine"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, nilIfEmpty(Differences(before, test.after, test.ignore)))
		})
	}
}

func TestSeesAFileInTheHomeDirectory(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	before, err := Read(t.Context())
	require.NoError(t, err)
	cache := filepath.Join(os.Getenv("HOME"), ".kube/cache")
	require.NoError(t, os.MkdirAll(cache, 0o755))
	after, err := Read(t.Context())
	require.NoError(t, err)
	assert.Contains(t, Differences(before, after, nil), "new:  "+cache)
}

func nilIfEmpty(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return lines
}

func TestMountsOfTheKernelsOwnWindowsAreNobodys(t *testing.T) {
	mountinfo := "30 1 0:5 / / rw - ext4 /dev/vda rw\n31 30 0:6 / /sys/kernel/tracing rw - tracefs none rw\n32 30 0:7 / /run/x rw - tmpfs none rw\n"
	got := mountFacts(mountinfo)
	if want := (State{"mount /", "mount /run/x"}); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
