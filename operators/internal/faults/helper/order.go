// Package helper defines the messages between the operator and a fault's helper: the order, as the arguments of the helper's container, and
// its report, as the container's termination message. It is pure.
package helper

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Order is the order of one fault to the helper in the affected pod. The helper follows its node's clock and does not need the operator.
type Order struct {
	Kind v1beta1.FaultKind
	At   time.Time
	For  time.Duration
	// Percent of the packets that are lost, Delay of each packet, and Leave, the bytes of the volume that stay free; 0 for kinds without
	// them.
	Percent int32
	Delay   time.Duration
	Leave   int64
	// Task is the store's task of maintenance, and Port the pod's loopback port that accepts it; empty and 0 for other kinds.
	Task string
	Port int32
}

// Late is how much later than due a fault may begin. Later, it would interrupt other work and leave less of the phase, so a helper that is
// later does nothing.
const Late = 5 * time.Second

// Usage is the usage of a helper's command.
const Usage = "fault pause|cut|lose|slow|busy|fill|maintain --at=<moment, as in 2026-11-24T02:40:00.25Z> --for=<time, as in 10s> [--percent=<share that is lost>] [--delay=<time, as in 50ms>] [--leave=<bytes>] [--task=<name> --port=<number>]"

const (
	atFlag      = "--at"
	forFlag     = "--for"
	percentFlag = "--percent"
	delayFlag   = "--delay"
	leaveFlag   = "--leave"
	taskFlag    = "--task"
	portFlag    = "--port"
)

// taskName is what the API allows as the name of a task. A name is one line of the port's protocol.
var taskName = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

// Args returns the arguments of the command that carries out the order.
func (o Order) Args() []string {
	args := []string{o.Kind.String(), atFlag + "=" + o.At.UTC().Format(time.RFC3339Nano), forFlag + "=" + o.For.String()}
	if o.Percent != 0 {
		args = append(args, fmt.Sprintf("%s=%d", percentFlag, o.Percent))
	}
	if o.Delay != 0 {
		args = append(args, delayFlag+"="+o.Delay.String())
	}
	if o.Leave != 0 {
		args = append(args, fmt.Sprintf("%s=%d", leaveFlag, o.Leave))
	}
	if o.Task != "" {
		args = append(args, taskFlag+"="+o.Task, fmt.Sprintf("%s=%d", portFlag, o.Port))
	}
	return args
}

// Until returns the latest time at which the order affects its pod.
func (o Order) Until() time.Time { return o.At.Add(Late).Add(o.For) }

// ParseArgs parses the order from a command's arguments.
func ParseArgs(args []string) (Order, error) {
	if len(args) == 0 {
		return Order{}, fmt.Errorf("usage: %s", Usage)
	}
	at := slices.IndexFunc(v1beta1.FaultKinds(), func(k v1beta1.FaultKind) bool { return k.Timed() && k.String() == args[0] })
	if at < 0 {
		return Order{}, fmt.Errorf("a helper does no %q; usage: %s", args[0], Usage)
	}
	o := Order{Kind: v1beta1.FaultKinds()[at]}
	for _, arg := range args[1:] {
		if err := o.read(arg); err != nil {
			return Order{}, fmt.Errorf("%s is %w; usage: %s", arg, err, Usage)
		}
	}
	if o.At.IsZero() || o.For == 0 || (o.Percent != 0) != (o.Kind == v1beta1.FaultLose) || (o.Delay != 0) != (o.Kind == v1beta1.FaultSlow) ||
		o.Leave != 0 && o.Kind != v1beta1.FaultFill || (o.Task != "") != (o.Kind == v1beta1.FaultMaintain) || (o.Port != 0) != (o.Task != "") {
		return Order{}, fmt.Errorf("a %s is told too little, or too much; usage: %s", o.Kind, Usage)
	}
	return o, nil
}

// read parses one flag. Its error describes the value, without the flag.
func (o *Order) read(arg string) error {
	name, value, _ := strings.Cut(arg, "=")
	switch name {
	case atFlag:
		at, err := time.Parse(time.RFC3339Nano, value)
		if err != nil {
			return errors.New("no moment")
		}
		o.At = at
	case forFlag:
		return readTime(value, &o.For)
	case delayFlag:
		return readTime(value, &o.Delay)
	case percentFlag:
		percent, err := strconv.ParseUint(value, 10, 31)
		if err != nil || percent < 1 || percent > 99 {
			return errors.New("no share of 1 to 99 percent")
		}
		o.Percent = int32(percent)
	case leaveFlag:
		leave, err := strconv.ParseUint(value, 10, 63)
		if err != nil {
			return errors.New("no number of bytes")
		}
		o.Leave = int64(leave)
	case taskFlag:
		if !taskName.MatchString(value) {
			return errors.New("no name of a task")
		}
		o.Task = value
	case portFlag:
		port, err := strconv.ParseUint(value, 10, 16)
		if err != nil || port == 0 {
			return errors.New("no port")
		}
		o.Port = int32(port)
	default:
		return errors.New("no flag")
	}
	return nil
}

func readTime(value string, to *time.Duration) error {
	read, err := time.ParseDuration(value)
	if err != nil || read <= 0 {
		return errors.New("no time")
	}
	*to = read
	return nil
}

// Report is the report of a helper that has ended.
type Report struct {
	// BeganAt is when the fault was in effect, UndoneAt when it was undone, by the node's clock.
	BeganAt  time.Time `json:"beganAt,omitzero"`
	UndoneAt time.Time `json:"undoneAt,omitzero"`
	// ClockOffsetMicros is how far the node's clock is ahead of the API server's, ClockErrorMicros the bound of its error; absent if unknown.
	ClockOffsetMicros *int64 `json:"clockOffsetMicros,omitempty"`
	ClockErrorMicros  *int64 `json:"clockErrorMicros,omitempty"`
	// Error is the reason why the fault did not happen, or not for its whole time; empty if it did.
	Error string `json:"error,omitempty"`
}

// String returns the report as a termination message.
func (r Report) String() string {
	text, err := json.Marshal(r)
	if err != nil { // times beyond the year 9999
		return `{"error":"the report could not be written"}`
	}
	return string(text)
}

// ParseReport parses a termination message.
func ParseReport(message string) (Report, error) {
	var r Report
	if err := json.Unmarshal([]byte(message), &r); err != nil {
		return Report{}, fmt.Errorf("read the report of a fault's helper: %w", err)
	}
	return r, nil
}
