package scale

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// auditPolicy makes the API server log each request of the operator's account, and the reports of load pods, and no other.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
  - {level: Metadata, users: [` + operatorUser + `]}
  - {level: Metadata, verbs: [patch], resources: [{group: ringside.dev, resources: [measurementparts]}]}
  - {level: None}
`

// auditEvent has the fields of an audit log entry that are read.
type auditEvent struct {
	Verb string `json:"verb"`
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	ObjectRef struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Name        string `json:"name"`
	} `json:"objectRef"`
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
	// StageTimestamp is the time of the answer.
	StageTimestamp time.Time `json:"stageTimestamp"`
}

// what returns the kind of the request, for example "patch measurements/status".
func (e auditEvent) what() string {
	what := e.Verb + " " + e.ObjectRef.Resource
	if e.ObjectRef.Subresource != "" {
		what += "/" + e.ObjectRef.Subresource
	}
	return what
}

// readAudit reads the requests in the given time. It omits leases, which are renewed independently of the measurements.
func readAudit(auditLog string, from, until time.Time) ([]auditEvent, error) {
	file, err := os.Open(auditLog)
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	var events []auditEvent
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event auditEvent
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		at := event.RequestReceivedTimestamp
		if event.ObjectRef.Resource != "leases" && !at.Before(from) && at.Before(until) {
			events = append(events, event)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	return events, nil
}

// countCalls counts the operator's requests by kind.
func countCalls(events []auditEvent) map[string]int {
	calls := map[string]int{}
	for _, event := range events {
		if event.User.Username == operatorUser {
			calls[event.what()]++
		}
	}
	return calls
}
