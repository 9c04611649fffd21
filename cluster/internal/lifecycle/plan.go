package lifecycle

import (
	"errors"
	"fmt"
	"strings"
)

// Verb is the kind of a request.
type Verb string

// Verbs of the commands.
const (
	Up        Verb = "up"
	Down      Verb = "down"
	Status    Verb = "status"
	Preflight Verb = "preflight"
	Use       Verb = "use" // load images, add and remove forwards
)

// Request is the user's request. Zero values mean the saved value, or else the default.
type Request struct {
	Verb    Verb
	Nodes   int
	APIPort int
	// RegistryPort is the port on the host of an image registry; 0 means none.
	RegistryPort int
	// RegistryUsers is an htpasswd file of the users who may push to the registry and pull from it.
	RegistryUsers string
	Verbosity     int
}

// Defaults of a cluster.
const (
	DefaultNodes   = 4
	DefaultAPIPort = 16443
)

// Step is the name of a step.
type Step string

// The steps of all plans.
const (
	stepCheckHost       Step = "check the host"
	stepInstallPackages Step = "install missing packages"
	stepEndProcesses    Step = "end processes"
	stepClearHost       Step = "remove control groups and records"
	stepRemoveState     Step = "remove the state directory"
	stepLeaveState      Step = "leave the files that are not marked as a cluster's"
	stepVerifyGone      Step = "make sure that nothing is left"
	stepClaim           Step = "claim the state directory and the instance's name"
	stepMeasureHost     Step = "measure the host"
	stepKeepPrograms    Step = "keep the programs it starts with"
	stepStartMachines   Step = "start machines"
	stepStartForwards   Step = "start forwards"
	stepLoadOwnImages   Step = "load its own images"
	stepWaitForAPI      Step = "wait for the API server"
	stepApplyAddons     Step = "apply addons"
	stepWaitUntilReady  Step = "wait until all is ready"
	stepUse             Step = "use it"
)

// Plan is a list of steps and the settings for them.
type Plan struct {
	Steps    []Step
	Settings Settings
	// Running reports whether processes of this cluster run when the steps begin. Memory, disk and port in use are then
	// its own.
	Running bool
	// Remains is the state directory of a dead cluster whose remains are removed first.
	Remains string
}

// makePlan returns the plan for a request. It is pure.
func makePlan(s State, r Request) (Plan, error) {
	if err := refuseOthers(s, r.Verb); err != nil {
		return Plan{}, err
	}
	switch r.Verb {
	case Down:
		return planDown(s)
	case Up, Preflight:
		return planUp(s, r)
	case Status, Use:
		return planUse(s, r.Verb)
	default:
		return Plan{}, fmt.Errorf("unknown operation %q of a cluster", r.Verb)
	}
}

// refuseOthers returns an error if the directory or the instance belongs to another cluster.
func refuseOthers(s State, verb Verb) error {
	if s.Saved != nil && s.Saved.Instance != s.Instance {
		return fmt.Errorf("%s holds the cluster %q, not %q: use --instance=%s, or another --state", s.Dir, s.Saved.Instance, s.Instance, s.Saved.Instance)
	}
	if len(s.Alive) > 0 && s.Owner != "" && s.Owner != s.Dir {
		fix := fmt.Sprintf("take it down with 'ringside-cluster down --state %s'", s.Owner)
		if verb == Up || verb == Preflight {
			fix += ", or choose another --instance and --api-port"
		}
		return fmt.Errorf("the running cluster %q belongs to another clone (%s): %s", s.Instance, s.Owner, fix)
	}
	return nil
}

// lostItsFiles returns an error if a cluster runs although its certificates are missing. New certificates would not
// match it.
func lostItsFiles(s State) error {
	if len(s.Alive) == 0 || (s.Saved != nil && s.Keys) {
		return nil
	}
	return fmt.Errorf("the cluster runs (%s), but its files in %s are missing: stop it with 'ringside-cluster down', then 'up' creates a new one", strings.Join(s.Alive, ", "), s.Dir)
}

func planUp(s State, r Request) (Plan, error) {
	if err := lostItsFiles(s); err != nil {
		return Plan{}, err
	}
	dead := len(s.Alive) == 0
	if s.Saved == nil && len(s.Contents) > 0 {
		return Plan{}, fmt.Errorf("%s is not empty and not the directory of a cluster (no cluster.json of one): use --state with a new or empty directory", s.Dir)
	}
	settings, err := merge(r, s)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Settings: settings, Running: s.Processes > 0}
	if r.Verb == Preflight {
		p.Steps = []Step{stepCheckHost}
		return p, nil
	}
	// Remains of a dead cluster of another directory, or of an earlier cluster of this one, for example a forward that
	// occupies its port.
	if remains := s.Owner != "" && (s.Owner != s.Dir || s.Saved == nil); dead && remains {
		p.Steps = append(p.Steps, stepEndProcesses, stepClearHost)
		p.Running, p.Remains = false, s.Owner
	}
	p.Steps = append(p.Steps, stepCheckHost, stepInstallPackages, stepClaim)
	if settings.Memory == 0 {
		p.Steps = append(p.Steps, stepMeasureHost)
	}
	if dead { // a running cluster keeps the programs that it was started with
		p.Steps = append(p.Steps, stepKeepPrograms)
	}
	p.Steps = append(p.Steps, stepStartMachines, stepStartForwards, stepLoadOwnImages, stepWaitForAPI, stepApplyAddons, stepWaitUntilReady)
	return p, nil
}

func planDown(s State) (Plan, error) {
	if s.Saved != nil {
		return Plan{Steps: []Step{stepEndProcesses, stepClearHost, stepRemoveState, stepVerifyGone}}, nil
	}
	if len(s.Contents) > 0 && s.Owner != s.Dir {
		return Plan{}, fmt.Errorf("%s is not the directory of a cluster (no cluster.json of one): nothing was stopped or removed; use --state with the right directory", s.Dir)
	}
	steps := []Step{stepEndProcesses, stepClearHost}
	if len(s.Contents) > 0 {
		steps = append(steps, stepLeaveState)
	}
	return Plan{Steps: append(steps, stepVerifyGone)}, nil
}

func planUse(s State, verb Verb) (Plan, error) {
	if err := lostItsFiles(s); err != nil {
		return Plan{}, err
	}
	if s.Saved == nil {
		return Plan{}, fmt.Errorf("no cluster is up in %s: run 'ringside-cluster up' first", s.Dir)
	}
	if verb == Use && len(s.Alive) == 0 {
		return Plan{}, fmt.Errorf("the cluster of %s is down: run 'ringside-cluster up' first", s.Dir)
	}
	return Plan{Steps: []Step{stepUse}, Settings: *s.Saved}, nil
}

// merge keeps the settings of an existing cluster: certificates, addresses and memory shares depend on them.
func merge(r Request, s State) (Settings, error) {
	settings := Settings{Instance: s.Instance, Nodes: r.Nodes, APIPort: r.APIPort, Registry: r.RegistryPort, RegistryUsers: r.RegistryUsers, Verbosity: 1}
	if s.Saved != nil {
		settings = *s.Saved
	}
	if settings.Nodes == 0 {
		settings.Nodes = DefaultNodes
	}
	if settings.APIPort == 0 {
		settings.APIPort = DefaultAPIPort
	}
	const fix = "take it down first ('ringside-cluster down')"
	if r.Nodes != 0 && r.Nodes != settings.Nodes {
		return Settings{}, fmt.Errorf("the cluster was created with %d nodes, not %d: %s", settings.Nodes, r.Nodes, fix)
	}
	if r.APIPort != 0 && r.APIPort != settings.APIPort {
		return Settings{}, fmt.Errorf("the cluster was created with API port %d, not %d: %s", settings.APIPort, r.APIPort, fix)
	}
	if r.RegistryPort != 0 && r.RegistryPort != settings.Registry {
		was := "without a registry"
		if settings.Registry != 0 {
			was = fmt.Sprintf("with a registry at port %d", settings.Registry)
		}
		return Settings{}, fmt.Errorf("the cluster was created %s, not with one at port %d: %s", was, r.RegistryPort, fix)
	}
	if r.RegistryUsers != "" && r.RegistryUsers != settings.RegistryUsers {
		was := "without logins to its registry"
		if settings.RegistryUsers != "" {
			was = "with the logins of " + settings.RegistryUsers
		}
		return Settings{}, fmt.Errorf("the cluster was created %s, not with those of %s: %s", was, r.RegistryUsers, fix)
	}
	if r.Verbosity != 0 {
		settings.Verbosity = r.Verbosity
	}
	if settings.Instance == "" {
		return Settings{}, errors.New("a cluster needs a name")
	}
	return settings, nil
}
