package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// stateFile is in the machine, where it goes with it.
const stateFile = "/run/network-policy.json"

// State is what the daemon says of itself.
type State struct {
	InForce  bool   `json:"inForce"`         // the rules are those of the policies
	Policies int    `json:"policies"`        // that select pods of the node
	Pods     int    `json:"pods"`            // that they select
	Fault    string `json:"fault,omitempty"` // why the rules are not
}

// ReadState reads it from outside, given the machine's file system.
func ReadState(root string) (State, error) {
	content, err := os.ReadFile(filepath.Join(root, stateFile))
	if err != nil {
		return State{}, fmt.Errorf("read state of network policies: %w", err)
	}
	var s State
	if err := json.Unmarshal(content, &s); err != nil {
		return State{}, fmt.Errorf("read state of network policies: %w", err)
	}
	return s, nil
}

// Healthy is nil if the node's rules are as the policies want them.
func (s State) Healthy() error {
	switch {
	case s.Fault != "":
		return errors.New(s.Fault)
	case !s.InForce:
		return errors.New("it has not written rules yet")
	}
	return nil
}

func (s State) write(path string) error {
	content, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o644); err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return nil
}
