package inflict

import (
	"bufio"
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/utils/clock"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
)

// maintained serves one client as a store's maintenance port does: it reads the order and sends the answers. It returns its port, the order
// that it got, and whether the client closed the connection.
func maintained(t *testing.T, answers ...string) (port int32, order chan string, closed chan struct{}) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	order, closed = make(chan string, 1), make(chan struct{})
	go func() {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = client.Close() }()
		in := bufio.NewReader(client)
		line, _ := in.ReadString('\n')
		order <- line
		for _, answer := range answers {
			_, _ = client.Write([]byte(answer))
		}
		if len(answers) < 2 && len(answers) > 0 && answers[0] == "begun\n" {
			_, _ = in.ReadByte() // until the client has enough
			close(closed)
		}
	}()
	return int32(listener.Addr().(*net.TCPAddr).Port), order, closed
}

func TestATaskOfTheStoreIsOverWhenTheStoreSaysSo(t *testing.T) {
	port, order, _ := maintained(t, "begun\n", "done\n")
	ordered := helper.Order{Kind: v1beta1.FaultMaintain, At: time.Now(), For: time.Minute, Task: "repair", Port: port}
	report := Run(t.Context(), clock.RealClock{}, ordered, Of(ordered))
	assert.Empty(t, report.Error)
	assert.Equal(t, "repair\n", <-order)
	assert.False(t, report.BeganAt.IsZero())
	assert.Less(t, report.UndoneAt.Sub(report.BeganAt), 10*time.Second, "well before its time was over")
}

// serveOne serves one client on a listener, if it sends the expected line.
func serveOne(t *testing.T, on net.Listener, want string, answers ...string) {
	client, err := on.Accept()
	if !assert.NoError(t, err) {
		return
	}
	defer func() { _ = client.Close() }()
	line, _ := bufio.NewReader(client).ReadString('\n')
	assert.Equal(t, want, line)
	for _, answer := range answers {
		_, _ = client.Write([]byte(answer))
	}
}

// restarting serves an upgrade as a store does that restarts for it: its process ends without an answer to the next client. The new one, if
// there is an answer of it, listens at the same port.
func restarting(t *testing.T, afterwards string) int32 {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address, over := listener.Addr(), make(chan struct{})
	go func() {
		defer close(over)
		serveOne(t, listener, "upgrade\n", "begun\n", "restarts\n")
		serveOne(t, listener, "restarted\n")
		_ = listener.Close()
		if afterwards == "" {
			return
		}
		again, err := net.Listen("tcp", address.String())
		if !assert.NoError(t, err) {
			return
		}
		defer func() { _ = again.Close() }()
		serveOne(t, again, "restarted\n", afterwards)
	}()
	t.Cleanup(func() { <-over })
	return int32(address.(*net.TCPAddr).Port)
}

func TestATaskThatRestartsTheStoreIsOverWhenTheStoreServesAgain(t *testing.T) {
	ordered := helper.Order{Kind: v1beta1.FaultMaintain, At: time.Now(), For: time.Minute, Task: "upgrade", Port: restarting(t, "done\n")}
	report := Run(t.Context(), clock.RealClock{}, ordered, Of(ordered))
	assert.Empty(t, report.Error)
	assert.GreaterOrEqual(t, report.UndoneAt.Sub(report.BeganAt), between, "the start of the store is part of it")
	err := Maintain(t.Context(), "upgrade", restarting(t, "failed there is no task restarted\n"), func() {})
	assert.EqualError(t, err, "the store's task restarted failed: there is no task restarted")
}

func TestAStoreThatDoesNotStartAgainIsAwaitedForTheTimeOfTheFault(t *testing.T) {
	ordered := helper.Order{Kind: v1beta1.FaultMaintain, At: time.Now(), For: 5 * between, Task: "upgrade", Port: restarting(t, "")}
	report := Run(t.Context(), clock.RealClock{}, ordered, Of(ordered))
	assert.Equal(t, "the store's task upgrade had not ended when its time was over; use a longer one (for)", report.Error)
}

func TestATaskOfTheStoreThatFailsSaysWhy(t *testing.T) {
	for says, answers := range map[string][]string{
		"the store's task repair failed: no neighbour is up":                   {"begun\n", "failed no neighbour is up\n"},
		"the store's task repair failed: the tasks are compact, repair":        {"failed the tasks are compact, repair\n"},
		`the store answered "what?" to its task repair, where "begun" was due`: {"what?\n"},
		`await the answer "begun" to the store's task repair: EOF`:             {},
		`the store answered "begun" to its task repair, where "done" was due`:  {"begun\n", "begun\n"},
	} {
		port, _, _ := maintained(t, answers...)
		assert.EqualError(t, Maintain(t.Context(), "repair", port, func() {}), says)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	require.ErrorContains(t, Maintain(t.Context(), "repair", int32(listener.Addr().(*net.TCPAddr).Port), func() {}), "connect to the store's maintenance port: ")
}

func TestATaskOfTheStoreThatTakesTooLongIsStopped(t *testing.T) {
	for says, cause := range map[string]error{
		"the store's task repair had not ended when its time was over; use a longer one (for)": errInTime,
		"its helper was ended before the task's end":                                           errors.New("a signal"),
	} {
		port, _, closed := maintained(t, "begun\n")
		ctx, end := context.WithCancelCause(t.Context())
		assert.EqualError(t, Maintain(ctx, "repair", port, func() { end(cause) }), says)
		<-closed
	}
}
