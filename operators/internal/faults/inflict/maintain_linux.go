package inflict

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/internal/faults/helper"
)

// The answers of a store's maintenance port (docs/reference/store-contract-faults.md).
const (
	answerBegun  = "begun"
	answerDone   = "done"
	answerFailed = "failed "
	// longestAnswer is the most bytes of an answer that are read.
	longestAnswer = 1 << 10
)

// Maintain has the store of this pod carry out a task, and calls begun when the store reports that it has begun. It returns when the store
// reports the end. If the context ends before, it closes the connection, which makes the store stop.
func Maintain(ctx context.Context, task string, port int32, begun func()) error {
	dialer := net.Dialer{Timeout: helper.Late}
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return fmt.Errorf("connect to the store's maintenance port: %w", err)
	}
	defer func() { _ = connection.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = connection.Close() })
	defer stop()
	// A task that begins later would be too late anyway, for example one behind that of an earlier attempt.
	if err := connection.SetReadDeadline(time.Now().Add(helper.Late)); err != nil {
		return fmt.Errorf("set a deadline for the store's answer: %w", err)
	}
	if _, err := io.WriteString(connection, task+"\n"); err != nil {
		return fmt.Errorf("order the store's task %s: %w", task, err)
	}
	answers := bufio.NewReader(io.LimitReader(connection, longestAnswer))
	if err := awaitAnswer(ctx, answers, task, answerBegun); err != nil {
		return err
	}
	if err := connection.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("lift the deadline for the store's answer: %w", err)
	}
	begun()
	return awaitAnswer(ctx, answers, task, answerDone)
}

// awaitAnswer reads one line, and returns an error unless it is the expected one.
func awaitAnswer(ctx context.Context, answers *bufio.Reader, task, want string) error {
	line, err := answers.ReadString('\n')
	answer := strings.TrimSuffix(line, "\n")
	reason, failed := strings.CutPrefix(answer, answerFailed)
	switch {
	case errors.Is(context.Cause(ctx), errInTime):
		return fmt.Errorf("the store's task %s had not ended when its time was over; use a longer one (for)", task)
	case ctx.Err() != nil:
		return errors.New("its helper was ended before the task's end")
	case failed:
		return fmt.Errorf("the store's task %s failed: %s", task, reason)
	case err != nil:
		return fmt.Errorf("await the answer %q to the store's task %s: %w", want, task, err)
	case answer != want:
		return fmt.Errorf("the store answered %q to its task %s, where %q was due", answer, task, want)
	}
	return nil
}
