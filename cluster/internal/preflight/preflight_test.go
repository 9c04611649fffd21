package preflight

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
)

// good returns the facts of a suitable host.
func good() Facts {
	return Facts{Root: true, MemoryAvailable: 24 * gibibyte, DiskFree: 50 * gibibyte, Overlay: true, InotifyFree: 128}
}

func TestJudgesTheHost(t *testing.T) {
	wish := Wish{Nodes: 4, APIPort: 16443, State: "/repo/build/cluster"}
	for _, test := range []struct {
		name   string
		change func(*Facts, *Wish)
		faults []string
		notes  []string
	}{
		{"a good host", func(*Facts, *Wish) {}, nil, nil},
		{"no nodes", func(_ *Facts, w *Wish) { w.Nodes = 0 }, []string{"--nodes is 0: use 1 to 64"}, nil},
		{"more nodes than addresses", func(_ *Facts, w *Wish) { w.Nodes = 65 },
			[]string{"--nodes is 65: use 1 to 64"}, nil},
		{"a port that is none", func(_ *Facts, w *Wish) { w.APIPort = 70000 },
			[]string{"--api-port is 70000: use 1 to 65535"}, nil},
		{"a registry where the API is", func(_ *Facts, w *Wish) { w.RegistryPort = w.APIPort },
			[]string{"--registry is 16443: use 1 to 65535, different from --api-port"}, nil},
		{"a registry whose port is taken, and that was not built", func(f *Facts, w *Wish) {
			w.RegistryPort, f.RegistryTaken, f.MissingPrograms = 5000, true, []string{"bin/registry"}
		},
			[]string{"not built yet: bin/registry; run cluster/build.sh registry", "port 5000 of 127.0.0.1 is in use: choose another with --registry"}, nil},
		{"logins to no registry", func(_ *Facts, w *Wish) { w.RegistryUsers = "/users" },
			[]string{"--registry-users without a registry: add --registry"}, nil},
		{"logins by a file that holds none", func(f *Facts, w *Wish) {
			w.RegistryPort, w.RegistryUsers, f.UsersFault = 5000, "/users", "/users has no user with a bcrypt password"
		},
			[]string{"--registry-users: /users has no user with a bcrypt password: create the file with htpasswd -Bc FILE USER"}, nil},
		{"not root: nothing else can be known", func(f *Facts, _ *Wish) { f.Root, f.Overlay, f.MemoryAvailable = false, false, 0 },
			[]string{"not root: nodes need namespaces, mounts and control groups; run it as root or with sudo"}, nil},
		{"control groups that cannot be used", func(f *Facts, _ *Wish) {
			f.CgroupFaults = []string{"no control groups for memory are mounted under /sys/fs/cgroup"}
		},
			[]string{"no control groups for memory are mounted under /sys/fs/cgroup: mount the control groups read-write, with all controllers (in a container: run it privileged)"}, nil},
		{"a container's control group", func(f *Facts, _ *Wish) { f.CgroupNotes = []string{"3 processes are moved"} },
			nil, []string{"3 processes are moved"}},
		{"nothing built", func(f *Facts, _ *Wish) { f.MissingPrograms = []string{"bin/coredns", "bin/pause"} },
			[]string{"not built yet: bin/coredns, bin/pause; run cluster/build.sh"}, nil},
		{"commands missing where there is no apt-get", func(f *Facts, _ *Wish) { f.MissingCommands = []string{"containerd", "ctr", "nft"} },
			[]string{"commands are missing: containerd, ctr, nft; install them (packages: containerd, nftables)"}, nil},
		{"commands missing where there is apt-get", func(f *Facts, _ *Wish) { f.MissingCommands, f.CanInstall = []string{"containerd", "ctr", "nft"}, true },
			nil, []string{"'up' installs packages for missing commands: containerd, nftables"}},
		{"kernel features missing", func(f *Facts, _ *Wish) { f.MissingKernel = []string{"veth links", "nf_tables"} },
			[]string{"the kernel lacks veth links, nf_tables: use a kernel with these features, or load their modules"}, nil},
		{"everything too small, and the port in use", func(f *Facts, _ *Wish) { f.MemoryAvailable, f.DiskFree, f.PortTaken = 4*gibibyte, 3*gibibyte/2, true },
			[]string{"too little memory for 4 nodes: need 10.9 GiB available, have 4.0 GiB; end other programs or start fewer nodes (NODES= with make, or --nodes)",
				"too little disk for 4 nodes under /repo/build/cluster: need 12.0 GiB free, have 1.5 GiB; free some space or choose another --state",
				"port 16443 of 127.0.0.1 is in use: choose another (API_PORT= with make, or --api-port)"}, nil},
		{"inotify instances used up by other clusters", func(f *Facts, _ *Wish) { f.InotifyFree = 42 },
			[]string{"too few inotify instances for 4 nodes: need 43 free, have 42; take another cluster down, start fewer nodes (NODES= with make, or --nodes), or raise the limit: sysctl -w fs.inotify.max_user_instances=512"}, nil},
		{"inotify instances that just suffice", func(f *Facts, _ *Wish) { f.InotifyFree = 43 }, nil, nil},
		{"those of containers on control groups version 2", func(f *Facts, _ *Wish) { f.InotifyFree, f.Unified = 66, true },
			[]string{"too few inotify instances for 4 nodes: need 67 free, have 66; take another cluster down, start fewer nodes (NODES= with make, or --nodes), or raise the limit: sysctl -w fs.inotify.max_user_instances=512"}, nil},
		{"a cluster that is up uses its own memory, disk, inotify instances and port", func(f *Facts, _ *Wish) {
			f.MemoryAvailable, f.DiskFree, f.InotifyFree, f.PortTaken, f.Running = 0, 0, 0, true, true
		},
			nil, nil},
		{"no overlayfs is no fault", func(f *Facts, _ *Wish) { f.Overlay = false },
			nil, []string{"overlayfs is not possible under /repo/build/cluster: images are copied for each container instead, which takes more disk space and time"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			facts, wish := good(), wish
			test.change(&facts, &wish)
			faults, notes := Judge(facts, wish)
			var texts []string
			for _, fault := range faults {
				texts = append(texts, fault.Error())
				assert.NotContains(t, fault.Error(), "\n", "one line each")
			}
			assert.Equal(t, test.faults, texts)
			assert.Equal(t, test.notes, notes)
		})
	}
}

func TestAContainersLimitBoundsTheMemory(t *testing.T) {
	host := MemoryFacts{Host: 24 * gibibyte, Total: 24 * gibibyte, Available: 20 * gibibyte}
	assert.Equal(t, host, within(host, 0, 0))
	assert.Equal(t, host, within(host, 64*gibibyte, gibibyte), "a limit above what there is")
	assert.Equal(t, MemoryFacts{Host: 24 * gibibyte, Total: 8 * gibibyte, Available: 7 * gibibyte}, within(host, 8*gibibyte, gibibyte))
}

func TestFindsMissingCommands(t *testing.T) {
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "there"), nil, 0o755))
	t.Setenv("PATH", bin)
	missing := Missing([]Command{
		{Name: "there", Package: "a"},
		{Name: "absent", Package: "b"},
		{Name: "elsewhere", Package: "c", Paths: []string{"/nonexistent/x", filepath.Join(bin, "there")}},
		{Name: "nowhere", Package: "b", Paths: []string{"/nonexistent/x"}},
	})
	assert.Equal(t, []string{"b"}, PackagesOf(missing))
	assert.Len(t, missing, 2)
}

func TestFindsWhatOnlyRootRunsWhateverThePath(t *testing.T) {
	assert.Equal(t, "/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin", SystemPath("/usr/bin:/bin"), "as a plain su leaves it")
	assert.Equal(t, "/usr/sbin:/usr/bin:/usr/local/sbin:/sbin", SystemPath("/usr/sbin:/usr/bin"), "what is there keeps its place")
	assert.Equal(t, "/usr/local/sbin:/usr/sbin:/sbin", SystemPath(""))
}

func TestLooksAtTheNearestDirectoryThatExists(t *testing.T) {
	dir := t.TempDir()
	found, err := nearestExisting(filepath.Join(dir, "not", "yet"))
	require.NoError(t, err)
	assert.Equal(t, dir, found)

	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = nearestExisting(file)
	assert.ErrorContains(t, err, "is not a directory")
}

func TestLookingChangesNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: tries mounts and links in namespaces of its own")
	}
	root, bin := t.TempDir(), t.TempDir()
	called := filepath.Join(root, "called")
	for _, program := range []string{"modprobe", "insmod", "sysctl", "systemctl", "apt-get", "dpkg"} {
		script := "#!/bin/sh\necho \"$0\" >>" + called + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, program), []byte(script), 0o755))
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	tree, err := cgroup.Open(filepath.Join(root, "run"))
	require.NoError(t, err)
	before := everything(t, root)
	groups := tree.Remaining(layout.CgroupBase)

	facts, err := Find(layout.Layout{Instance: "x", State: filepath.Join(root, "not", "yet"), Bin: bin}, tree, Wish{Nodes: 4, APIPort: 1})

	require.NoError(t, err)
	assert.True(t, facts.Root)
	assert.Positive(t, facts.MemoryAvailable)
	assert.NotContains(t, facts.MissingKernel, "br_netfilter")
	assert.Equal(t, before, everything(t, root))
	assert.Equal(t, groups, tree.Remaining(layout.CgroupBase))
}

func everything(t *testing.T, root string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		found = append(found, path)
		return err
	}))
	return found
}

// The limit applies per user. In its own user namespace the test has one that no other program uses.
func TestCountsTheInotifyInstancesThatAreLeft(t *testing.T) {
	if os.Getenv("RINGSIDE_COUNTS_INOTIFY") == "" {
		if os.Geteuid() != 0 {
			t.Skip("needs root: sets a limit in a user namespace")
		}
		cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), "RINGSIDE_COUNTS_INOTIFY=yes")
		mapped := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}}
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER, UidMappings: mapped, GidMappings: mapped}
		output, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", output)
		return
	}
	const limit = 8
	require.NoError(t, os.WriteFile("/proc/sys/user/max_inotify_instances", []byte(strconv.Itoa(limit)), 0))
	held, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	require.NoError(t, err)
	assert.Equal(t, limit-1, inotifyFree(128))
	assert.Equal(t, limit-1, inotifyFree(128), "what was made is gone again")
	assert.Equal(t, 5, inotifyFree(5), "no more than are wanted")
	require.NoError(t, unix.Close(held))
	open, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	for _, entry := range open {
		target, _ := os.Readlink("/proc/self/fd/" + entry.Name()) // the descriptor of the listing itself is already closed
		assert.False(t, strings.Contains(target, "inotify"), target)
	}
}
