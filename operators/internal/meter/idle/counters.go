package idle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"strings"
	"time"
)

// pod is where one of the store's pods tells what it used (charts/README.md).
type pod struct {
	address string
	conn    net.Conn
	asked   uint64
}

// patience with one answer, and how often it is asked for: datagrams may be lost.
const (
	patience = 200 * time.Millisecond
	tries    = 3
)

// maxAnswer is more than a pod sends.
const maxAnswer = 4096

func dial(address string) (*pod, error) {
	conn, err := net.Dial("udp", address)
	if err != nil {
		return nil, fmt.Errorf("reach the store's counters: %w", err)
	}
	return &pod{address: address, conn: conn}, nil
}

// read the pod's counters; an error where no answer came.
func (p *pod) read(ctx context.Context) (map[string]int64, error) {
	var last error
	for range tries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values, err := p.ask()
		if err == nil {
			return values, nil
		}
		last = err
	}
	return nil, fmt.Errorf("the counters at %s: %w", p.address, last)
}

func (p *pod) ask() (map[string]int64, error) {
	p.asked++
	if err := p.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(p.conn, "counters %d", p.asked); err != nil {
		return nil, err
	}
	answer := make([]byte, maxAnswer)
	for {
		n, err := p.conn.Read(answer)
		if err != nil {
			return nil, err
		}
		id, values, err := parse(string(bytes.TrimSpace(answer[:n])))
		if err != nil {
			return nil, err
		}
		if id == p.asked { // else it is late, of a question that was given up
			return values, nil
		}
	}
}

// parse an answer: the question's number, then a name and a value per line.
func parse(answer string) (uint64, map[string]int64, error) {
	var id uint64
	values := map[string]int64{}
	for number, line := range strings.Split(answer, "\n") {
		name, text, ok := strings.Cut(line, " ")
		value, err := strconv.ParseInt(text, 10, 64)
		switch {
		case !ok || err != nil || value < 0:
			return 0, nil, fmt.Errorf("the answer has the line %q, not a name and a count", line)
		case number == 0 && name != "id":
			return 0, nil, errors.New("the answer does not begin with the question's number")
		case number == 0:
			id = uint64(value)
		default:
			values[name] = value
		}
	}
	return id, values, nil
}

// sum of all pods' counters: of those that every pod has.
func sum(ctx context.Context, pods []*pod) (map[string]int64, error) {
	var total map[string]int64
	for _, p := range pods {
		values, err := p.read(ctx)
		if err != nil {
			return nil, err
		}
		if total == nil {
			total = values
			continue
		}
		maps.DeleteFunc(total, func(name string, _ int64) bool { _, both := values[name]; return !both })
		for name := range total {
			total[name] += values[name]
		}
	}
	return total, nil
}

// growth from one reading to the next.
func growth(before, after map[string]int64) map[string]int64 {
	grown := map[string]int64{}
	for name, value := range after {
		if was, both := before[name]; both && value >= was {
			grown[name] = value - was
		}
	}
	return grown
}
