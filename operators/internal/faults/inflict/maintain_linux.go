package inflict

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/internal/faults/helper"
)

// The answers of a store's maintenance port (docs/reference/store-contract-faults.md).
const (
	answerBegun    = "begun"
	answerDone     = "done"
	answerRestarts = "restarts"
	answerFailed   = "failed "
	// questionRestarted is asked after answerRestarts, until the store answers.
	questionRestarted = "restarted"
	// between is the time between two such questions.
	between = 100 * time.Millisecond
	// longestAnswer is the most bytes of an answer that are read.
	longestAnswer = 1 << 10
)

// Maintain has the store of this pod carry out a task, and calls begun when the store reports that it has begun. It returns when the store
// reports the end, which a store that restarts for the task does when it serves again. If the context ends before, it closes the connection,
// which makes the store stop.
func Maintain(ctx context.Context, task string, port int32, begun func()) error {
	store, err := ask(ctx, task, port)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	if _, err := store.await(ctx, answerBegun); err != nil {
		return err
	}
	if err := store.SetReadDeadline(time.Time{}); err != nil { // the task itself may take its time
		return fmt.Errorf("lift the deadline for the store's answer: %w", err)
	}
	begun()
	if answer, err := store.await(ctx, answerDone, answerRestarts); err != nil || answer == answerDone {
		return err
	}
	return restarted(ctx, task, port)
}

// restarted returns when the store answers after its restart. Until then connections are refused, or end without an answer.
func restarted(ctx context.Context, task string, port int32) error {
	again := time.NewTicker(between)
	defer again.Stop()
	for {
		if store, err := ask(ctx, questionRestarted, port); err == nil {
			answer, err := store.await(ctx, answerDone)
			_ = store.Close()
			if err == nil || answer != "" {
				return err
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return ended(ctx, task)
		}
	}
}

// asked is a connection to the store's maintenance port on which a line was sent.
type asked struct {
	net.Conn
	line    string
	answers *bufio.Reader
	stop    func() bool
}

// ask sends a line to the store. The first answer must come soon: a task that begins later would be too late anyway, for example one behind
// that of an earlier attempt. The connection closes when the context ends.
func ask(ctx context.Context, line string, port int32) (*asked, error) {
	dialer := net.Dialer{Timeout: helper.Late}
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return nil, fmt.Errorf("connect to the store's maintenance port: %w", err)
	}
	store := &asked{Conn: connection, line: line, answers: bufio.NewReader(io.LimitReader(connection, longestAnswer)),
		stop: context.AfterFunc(ctx, func() { _ = connection.Close() })}
	if err := connection.SetReadDeadline(time.Now().Add(helper.Late)); err != nil {
		_ = store.Close()
		return nil, fmt.Errorf("set a deadline for the store's answer: %w", err)
	}
	if _, err := io.WriteString(connection, line+"\n"); err != nil {
		_ = store.Close()
		return nil, fmt.Errorf("order the store's task %s: %w", line, err)
	}
	return store, nil
}

// Close closes the connection.
func (a *asked) Close() error {
	a.stop()
	return a.Conn.Close()
}

// await reads an answer, and returns an error unless it is one of the expected ones.
func (a *asked) await(ctx context.Context, want ...string) (answer string, err error) {
	line, err := a.answers.ReadString('\n')
	answer = strings.TrimSuffix(line, "\n")
	reason, failed := strings.CutPrefix(answer, answerFailed)
	switch {
	case ctx.Err() != nil:
		return answer, ended(ctx, a.line)
	case failed:
		return answer, fmt.Errorf("the store's task %s failed: %s", a.line, reason)
	case err != nil:
		return answer, fmt.Errorf("await the answer %q to the store's task %s: %w", want[0], a.line, err)
	case !slices.Contains(want, answer):
		return answer, fmt.Errorf("the store answered %q to its task %s, where %q was due", answer, a.line, want[0])
	}
	return answer, nil
}

// ended returns why a task had to end early.
func ended(ctx context.Context, task string) error {
	if errors.Is(context.Cause(ctx), errInTime) {
		return fmt.Errorf("the store's task %s had not ended when its time was over; use a longer one (for)", task)
	}
	return errors.New("its helper was ended before the task's end")
}
