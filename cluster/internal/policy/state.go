package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// stateFile is in the machine, and disappears with it.
const stateFile = "/run/network-policy.json"

// State is the state that the daemon reports.
type State struct {
	InForce  bool   `json:"inForce"`         // the rules match the policies
	Policies int    `json:"policies"`        // number of policies that select pods of the node
	Pods     int    `json:"pods"`            // number of pods that they select
	Fault    string `json:"fault,omitempty"` // why the rules do not match
}

// ReadState reads the state from outside the machine. root is the machine's root directory.
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

// Healthy returns nil if the node's rules match the policies.
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
