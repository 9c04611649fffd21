package machine

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestReadsTheStartTimeWhateverTheCommandIsCalled(t *testing.T) {
	fields := " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21"
	for _, name := range []string{"(kubelet)", "(a b)", "(x) y) (z)"} {
		ticks, err := parseStartTicks("42 " + name + fields)
		require.NoError(t, err, name)
		assert.Equal(t, uint64(4711), ticks)
	}
	_, err := parseStartTicks("42 (kubelet)" + strings.Replace(fields, " S ", " Z ", 1))
	assert.ErrorContains(t, err, "has ended")
	_, err = parseStartTicks("rubbish")
	assert.Error(t, err)
}

func TestTellsAProcessFromALaterOneOfTheSameID(t *testing.T) {
	me, err := Identify(os.Getpid())
	require.NoError(t, err)
	assert.True(t, me.Alive())
	later, rebooted := me, me
	later.StartTicks++
	rebooted.BootID = "another"
	assert.False(t, later.Alive())
	assert.False(t, rebooted.Alive())
	assert.False(t, Process{}.Alive())
}

func TestSeesThatAProcessHasEnded(t *testing.T) {
	child := exec.Command("sleep", "60")
	require.NoError(t, child.Start())
	process, err := Identify(child.Process.Pid)
	require.NoError(t, err)
	assert.True(t, process.Alive())
	require.NoError(t, child.Process.Kill())
	assert.Eventually(t, func() bool { return !process.Alive() }, 10*time.Second, time.Millisecond, "a zombie does not live")
	_ = child.Wait()
}

func TestRemembersAProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	none, err := Recorded(dir, "node1")
	require.NoError(t, err)
	assert.False(t, none.Alive())

	me, err := Identify(os.Getpid())
	require.NoError(t, err)
	require.NoError(t, me.Record(dir, "node1"))
	got, err := Recorded(dir, "node1")
	require.NoError(t, err)
	assert.Equal(t, me, got)

	require.NoError(t, os.WriteFile(recordFile(dir, "node1"), []byte(`{"pid":`), 0o600))
	torn, err := Recorded(dir, "node1")
	require.NoError(t, err)
	assert.False(t, torn.Alive())
}

func TestSetsALogAsideWhenItHasGrown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "etcd.log")
	require.NoError(t, os.WriteFile(path, []byte("old.."), 0o600)) // from an earlier start: counts too
	log := newRotatingLog(path, 10)
	for _, text := range []string{"first", "second", "third", "a very long line"} {
		n, err := log.Write([]byte(text))
		require.NoError(t, err)
		assert.Len(t, text, n)
	}
	current, err := os.ReadFile(path)
	require.NoError(t, err)
	previous, err := os.ReadFile(path + ".1")
	require.NoError(t, err)
	assert.Equal(t, "a very long line", string(current), "a line is never cut")
	assert.Equal(t, "third", string(previous))
}

// script is a service's output. A function returns each piece, and may act before it.
type script []func() string

func (s *script) Read(p []byte) (int, error) {
	if len(*s) == 0 {
		return 0, io.EOF
	}
	next := (*s)[0]
	*s = (*s)[1:]
	return copy(p, next()), nil
}

func (s *script) Close() error { return nil }

func TestALogGoesOnAfterTheDiskWasFull(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "full") // writes fail until it is created
	newRotatingLog(filepath.Join(dir, "etcd.log"), 1<<10).copyFrom(&script{
		func() string { return "lost\n" },
		func() string { return "this, too\n" },
		func() string {
			require.NoError(t, os.Mkdir(dir, 0o755))
			return "kept\n"
		},
	})
	content, err := os.ReadFile(filepath.Join(dir, "etcd.log"))
	require.NoError(t, err)
	assert.Equal(t, "[15 bytes of this log could not be written]\nkept\n", string(content))
}

func TestWaitsLongerAfterEachFailure(t *testing.T) {
	var pauses []time.Duration
	for failures := 1; failures <= 7; failures++ {
		pauses = append(pauses, pauseAfter(failures))
	}
	assert.Equal(t, []time.Duration{
		500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second,
	}, pauses)
}

func TestSaysHowAProcessEnded(t *testing.T) {
	assert.Equal(t, "exited with code 3", describe(syscall.WaitStatus(3<<8)))
	assert.Equal(t, "killed by signal 9 (killed)", describe(syscall.WaitStatus(9)))
}

func TestWaitsForAnEndpoint(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	assert.ErrorContains(t, waitUntilAccepts("unix:"+socket, 0), "nothing answers at unix:"+socket)
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer listener.Close()
	assert.NoError(t, waitUntilAccepts("unix:"+socket, time.Minute))
}

func TestInitIsNotForUsers(t *testing.T) {
	assert.ErrorContains(t, Init(), "use 'ringside-cluster up'")
}

func TestAServiceMayBeWokenLateAndTheNextIsNot(t *testing.T) {
	supervisor := supervisor{exits: map[int]chan syscall.WaitStatus{}}
	slack := func(s Service) string {
		s.Args = []string{"/bin/sh", "-c", "cat /proc/self/timerslack_ns"} // of a child of the shell, as of a kubelet's threads
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		pid, err := supervisor.fork(s, writer, make(chan syscall.WaitStatus, 1))
		require.NoError(t, err)
		require.NoError(t, writer.Close())
		said, err := io.ReadAll(reader)
		require.NoError(t, err)
		var status syscall.WaitStatus
		_, err = syscall.Wait4(pid, &status, 0, nil)
		require.NoError(t, err)
		return strings.TrimSpace(string(said))
	}
	usual := slack(Service{Name: "containerd"})
	assert.Equal(t, "50000000", slack(Service{Name: "kubelet", TimerSlack: Leisurely}))
	assert.Equal(t, usual, slack(Service{Name: "containerd"}))
}

func TestSaysAmountsAsAShellDoes(t *testing.T) {
	assert.Equal(t, "20000", amount(20000))
	assert.Equal(t, "unlimited", amount(unix.RLIM_INFINITY))
}

func TestRaisesALimitAsFarAsItMay(t *testing.T) {
	// The limit of core dumps, which no test needs.
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(unix.RLIMIT_CORE, &before))
	require.NoError(t, syscall.Setrlimit(unix.RLIMIT_CORE, &syscall.Rlimit{Cur: 0, Max: before.Max}))
	l := limit{"core", unix.RLIMIT_CORE, before.Max}
	got, err := l.raise()
	require.NoError(t, err)
	assert.Equal(t, before.Max, got)
	var now syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(unix.RLIMIT_CORE, &now))
	assert.Equal(t, before.Max, now.Cur, "the soft limit, too")
	require.NoError(t, syscall.Setrlimit(unix.RLIMIT_CORE, &before))
}

func TestLeavesOutSettingsThatTheKernelDoesNotHave(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "there"), []byte("1"), 0o600))
	require.NoError(t, setSysctls(root, Spec{SysctlsIfThere: map[string]string{"there": "0", "absent": "0"}}))
	content, err := os.ReadFile(filepath.Join(root, "there"))
	require.NoError(t, err)
	assert.Equal(t, "0", string(content))
	assert.NoFileExists(t, filepath.Join(root, "absent"))
	assert.Error(t, setSysctls(root, Spec{Sysctls: map[string]string{"no/such": "1"}}), "what a machine cannot do without")
}
