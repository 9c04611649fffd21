package lifecycle

import (
	"errors"
	"fmt"
	"slices"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/policy"
)

// policiesInForce returns the state of the node's policy rules, and an error if they do not match the NetworkPolicies.
func policiesInForce(process machine.Process) (policy.State, error) {
	services, err := process.Services()
	if err != nil {
		return policy.State{}, err
	}
	i := slices.IndexFunc(services, func(s machine.ServiceStatus) bool { return s.Name == policy.Service })
	if i < 0 {
		return policy.State{}, permanent{errors.New("its machine was started by an earlier version, which enforces no network policies: take the cluster down and up ('ringside-cluster down', then 'up')")}
	}
	if !services[i].Running {
		return policy.State{}, fmt.Errorf("%s does not run", policy.Service)
	}
	state, err := policy.ReadState(process.Root())
	if err != nil {
		return policy.State{}, err
	}
	return state, state.Healthy()
}
