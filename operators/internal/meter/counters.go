package meter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// storePods are all pods of a store. Their port for counters is described in docs/reference/store-contract.md.
type storePods []*storeConn

// storeConn is the connection to one of them.
type storeConn struct {
	address string
	conn    net.Conn
	asked   uint64
}

// Time limit of an answer, and number of attempts, since datagrams may be lost.
const (
	counterPatience = 200 * time.Millisecond
	counterTries    = 3
)

// maxCounterAnswer exceeds the size of an answer.
const maxCounterAnswer = 4096

// Questions to a pod.
const (
	askCounters = "counters"
	askSizes    = "sizes"
	askEvents   = "events"
)

// dialPods prepares to ask the pods at host:port, which need not be reachable yet.
func dialPods(addresses []string) (storePods, error) {
	var pods storePods
	for _, address := range addresses {
		conn, err := net.Dial("udp", address)
		if err != nil {
			pods.Close()
			return nil, fmt.Errorf("reach the store's counters: %w", err)
		}
		pods = append(pods, &storeConn{address: address, conn: conn})
	}
	return pods, nil
}

// Close closes the connections.
func (p storePods) Close() {
	for _, pod := range p {
		_ = pod.conn.Close() // nothing is buffered
	}
}

// Counted returns the sums over all pods of the counters that every pod has. It returns an error if a pod does not answer.
func (p storePods) Counted(ctx context.Context) (map[string]int64, error) {
	return p.sum(ctx, askCounters)
}

// Sizes returns the sums over all pods of the sizes that every pod has. It returns an error if a pod does not answer.
func (p storePods) Sizes(ctx context.Context) (map[string]int64, error) { return p.sum(ctx, askSizes) }

// Events returns the events of each pod; nil for one that does not answer. It asks all pods at once, so that the timeout of one does not
// delay the others.
func (p storePods) Events(ctx context.Context) []map[string]int64 {
	told := make([]map[string]int64, len(p))
	var asked sync.WaitGroup
	for i, pod := range p {
		asked.Go(func() { told[i], _ = pod.read(ctx, askEvents) })
	}
	asked.Wait()
	return told
}

// read returns the pod's answer to a question, after several attempts if needed.
func (p *storeConn) read(ctx context.Context, question string) (map[string]int64, error) {
	var last error
	for range counterTries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values, err := p.ask(ctx, question)
		if err == nil {
			return values, nil
		}
		last = err
	}
	return nil, fmt.Errorf("the counters at %s: %w", p.address, last)
}

func (p *storeConn) ask(ctx context.Context, question string) (map[string]int64, error) {
	p.asked++
	deadline := time.Now().Add(counterPatience)
	if end, ends := ctx.Deadline(); ends && end.Before(deadline) {
		deadline = end
	}
	if err := p.conn.SetDeadline(deadline); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(p.conn, "%s %d", question, p.asked); err != nil {
		return nil, err
	}
	answer := make([]byte, maxCounterAnswer)
	for {
		n, err := p.conn.Read(answer)
		if err != nil {
			return nil, err
		}
		id, values, err := parseCounters(string(bytes.TrimSpace(answer[:n])))
		if err != nil {
			return nil, err
		}
		if id == p.asked { // otherwise it is a late answer to an earlier question
			return values, nil
		}
	}
}

// parseCounters parses an answer: the question's number, then a name and a value per line.
func parseCounters(answer string) (uint64, map[string]int64, error) {
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

// sum adds up the pods' answers, for the names that every pod has.
func (p storePods) sum(ctx context.Context, question string) (map[string]int64, error) {
	var total map[string]int64
	for _, pod := range p {
		values, err := pod.read(ctx, question)
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

// growth returns the growth from one reading of counters to the next.
func growth(before, after map[string]int64) map[string]int64 {
	grown := map[string]int64{}
	for name, value := range after {
		if was, both := before[name]; both && value >= was {
			grown[name] = value - was
		}
	}
	return grown
}
