package main

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// schedulingPolicies are those of sched(7) that ask for no privilege, by their names in the chart. With batch, a thread that wakes
// does not displace the one that runs.
var schedulingPolicies = map[string]uint32{"other": unix.SCHED_NORMAL, "batch": unix.SCHED_BATCH}

// schedulingPolicy reads a policy's name; an error names the variable it came from.
func schedulingPolicy(variable, name string) (uint32, error) {
	policy, known := schedulingPolicies[name]
	if !known {
		return 0, fmt.Errorf("%s is %q: other or batch", variable, name)
	}
	return policy, nil
}

// takePolicy sets the policy of the calling thread, which is the goroutine's own from then on: what it starts inherits it.
func takePolicy(policy uint32) error {
	runtime.LockOSThread()
	attributes, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return fmt.Errorf("reading the scheduling policy: %w", err)
	}
	attributes.Policy = policy
	if err := unix.SchedSetAttr(0, attributes, 0); err != nil {
		return fmt.Errorf("setting the scheduling policy: %w", err)
	}
	return nil
}
