package scale

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// auditPolicy makes the API server log each request of the operator's account, and no other.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
  - {level: Metadata, users: [` + operatorUser + `]}
  - {level: None}
`

// auditEvent has the fields of an audit log entry that are read.
type auditEvent struct {
	Verb      string `json:"verb"`
	ObjectRef struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
	} `json:"objectRef"`
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
}

// what returns the kind of the request, for example "patch measurements/status".
func (e auditEvent) what() string {
	what := e.Verb + " " + e.ObjectRef.Resource
	if e.ObjectRef.Subresource != "" {
		what += "/" + e.ObjectRef.Subresource
	}
	return what
}

// countCalls counts the operator's requests in the given time by kind. It omits leases, which are renewed independently
// of the measurements.
func countCalls(auditLog string, from, until time.Time) (map[string]int, error) {
	file, err := os.Open(auditLog)
	if err != nil {
		return nil, fmt.Errorf("count the calls: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	calls := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event auditEvent
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("count the calls: %w", err)
		}
		at := event.RequestReceivedTimestamp
		if event.ObjectRef.Resource != "leases" && !at.Before(from) && at.Before(until) {
			calls[event.what()]++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("count the calls: %w", err)
	}
	return calls, nil
}
