package inflict

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Roles of the test binary when a test starts it again.
const (
	role     = "INFLICT_TEST_ROLE"
	answerer = "answerer"
	pauser   = "pauser"
	slower   = "slower"
	filler   = "filler"
	holds    = "INFLICT_TEST_DELAY"
	target   = "INFLICT_TEST_TARGET"
)

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case answerer:
		answer()
	case pauser:
		pauseForEver(os.Getenv(target))
	case slower:
		slowForEver(os.Getenv(holds))
	case filler:
		fillForEver(os.Getenv(target))
	default:
		os.Exit(m.Run())
	}
}

// answer repeats each line from another goroutine, so that there is more than one thread.
func answer() {
	lines := make(chan string)
	go func() {
		for line := range lines {
			fmt.Println(line)
		}
	}()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		lines <- in.Text()
	}
}

func pauseForEver(pid string) {
	var number int
	_, err := fmt.Sscan(pid, &number)
	if err == nil {
		err = Pause(context.Background(), only(number), func() { fmt.Println("held") })
	}
	fmt.Println(err)
}

func only(pid int) func() ([]int, error) { return func() ([]int, error) { return []int{pid}, nil } }

// process is a process with a role, which runs until the test ends.
type process struct {
	command *exec.Cmd
	in      io.Writer
	out     chan string
}

func start(t testing.TB, plays string, environment ...string) *process {
	command := exec.Command(os.Args[0])
	command.Env = append(append(os.Environ(), role+"="+plays), environment...)
	in, err := command.StdinPipe()
	require.NoError(t, err)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	p := &process{command: command, in: in, out: make(chan string)}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.out <- lines.Text()
		}
		close(p.out)
	}()
	return p
}

func (p *process) asked(t *testing.T, line string) {
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(t, err)
}

func (p *process) says(t testing.TB, line string) {
	select {
	case said := <-p.out:
		require.Equal(t, line, said)
	case <-time.After(20 * time.Second):
		t.Fatalf("nothing was said, in place of %q", line)
	}
}

// still reports whether all threads of a process are stopped.
func still(t *testing.T, pid int) bool {
	threads, err := threadsOf(only(pid))
	require.NoError(t, err)
	for _, thread := range threads {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", thread))
		require.NoError(t, err)
		_, state, _ := strings.Cut(string(stat), ") ")
		if state[0] != 't' {
			return false
		}
	}
	return true
}

func TestWhatIsPausedAnswersNobodyAndThenEverybody(t *testing.T) {
	p := start(t, answerer)
	p.asked(t, "before")
	p.says(t, "before")
	ctx, end := context.WithCancel(context.Background())
	held, done := make(chan struct{}), make(chan error)
	go func() { done <- Pause(ctx, only(p.command.Process.Pid), func() { close(held) }) }()
	select {
	case <-held:
	case err := <-done:
		t.Fatal(err)
	}
	assert.True(t, still(t, p.command.Process.Pid), "each thread is held")
	p.asked(t, "meanwhile")
	select {
	case said := <-p.out:
		t.Fatalf("it said %q", said)
	default:
	}
	end()
	require.NoError(t, <-done)
	p.says(t, "meanwhile")
	p.asked(t, "after")
	p.says(t, "after")
}

func TestWhatWasPausedGoesOnWhenThePauserIsKilled(t *testing.T) {
	p := start(t, answerer)
	p.asked(t, "before")
	p.says(t, "before")
	killed := start(t, pauser, fmt.Sprintf("%s=%d", target, p.command.Process.Pid))
	killed.says(t, "held")
	p.asked(t, "meanwhile")
	require.True(t, still(t, p.command.Process.Pid))
	require.NoError(t, killed.command.Process.Kill())
	p.says(t, "meanwhile")
}

func TestThereMustBeSomethingToPause(t *testing.T) {
	none := func() ([]int, error) { return nil, nil }
	require.EqualError(t, Pause(context.Background(), none, func() { t.Error("held") }), "there is no process to pause")
}

func TestTheOthersAreAllButOneself(t *testing.T) {
	p := start(t, answerer)
	others, err := Others()
	require.NoError(t, err)
	assert.Contains(t, others, p.command.Process.Pid)
	assert.NotContains(t, others, os.Getpid())
}

// arrived returns how many of the sent datagrams arrive. Each is one outgoing and one incoming packet.
func arrived(t *testing.T, sent int) (count int) {
	for range sent {
		if passes(t) {
			count++
		}
	}
	return count
}

func TestAShareOfThePacketsIsLostEachWay(t *testing.T) {
	ownNetwork(t)
	const none, sent, percent = 99, 2000, 30
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Lose(ctx, none, percent, func() {
		// 70% of outgoing packets pass, and 70% of those on the way in: 980, with a standard deviation of 22. Only one run in a billion
		// deviates by 6 times that.
		assert.InDelta(t, 980, arrived(t, sent), 6*22.4)
		end()
	}))
	assert.Equal(t, 10, arrived(t, 10))
}

func TestALossSparesTheInterfaceThatItIsToldTo(t *testing.T) {
	ownNetwork(t)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	require.NoError(t, Lose(ctx, Loopback, 99, func() {
		assert.Equal(t, 100, arrived(t, 100))
		end()
	}))
}
