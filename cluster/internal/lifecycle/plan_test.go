package lifecycle

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	mine   = "/mine/cluster"
	theirs = "/theirs/cluster"
)

var (
	start     = []Step{stepStartMachines, stepStartForwards, stepLoadOwnImages, stepWaitForAPI, stepApplyAddons, stepWaitUntilReady}
	anew      = append([]Step{stepCheckHost, stepInstallPackages, stepClaim, stepMeasureHost, stepKeepPrograms}, start...)
	again     = append([]Step{stepCheckHost, stepInstallPackages, stepClaim, stepKeepPrograms}, start...)
	heal      = append([]Step{stepCheckHost, stepInstallPackages, stepClaim}, start...)
	takeOver  = append([]Step{stepEndProcesses, stepClearHost}, anew...)
	end       = []Step{stepEndProcesses, stepClearHost, stepRemoveState, stepVerifyGone}
	endNoDir  = []Step{stepEndProcesses, stepClearHost, stepVerifyGone}
	endNoMark = []Step{stepEndProcesses, stepClearHost, stepLeaveState, stepVerifyGone}
)

// saved returns the saved settings of a cluster.
func saved(instance string) *Settings {
	return &Settings{Instance: instance, Nodes: 3, APIPort: 7000, Verbosity: 2, Memory: 42}
}

var files = []string{"cluster.json", "pki"}

func TestPlansFromWhatIsThere(t *testing.T) {
	nothing := State{}
	stopped := State{Saved: saved("ringside"), Contents: files, Keys: true}
	alive := State{Saved: saved("ringside"), Contents: files, Keys: true, Owner: mine, Alive: []string{"control-plane", "node1"}, Processes: 30}
	someDead := alive
	allDead := alive
	allDead.Alive, allDead.Processes = nil, 1 // a forward
	lost := State{Owner: mine, Alive: []string{"node1"}, Processes: 9}
	lostKeys := alive
	lostKeys.Keys = false
	lostInPart := lost
	lostInPart.Contents = []string{"logs"}
	foreignDir := State{Contents: []string{"images", "Makefile"}}
	otherInstance := State{Saved: saved("other"), Contents: files, Keys: true}
	othersLive := State{Owner: theirs, Alive: []string{"node1"}, Processes: 9}
	othersDead := State{Owner: theirs, Processes: 1}
	othersDeadMineStopped := stopped
	othersDeadMineStopped.Owner, othersDeadMineStopped.Processes = theirs, 1

	for _, test := range []struct {
		name  string
		state State
		verb  Verb
		want  []Step
		says  string
	}{
		{"up from nothing", nothing, Up, anew, ""},
		{"up of a cluster that was up before a reboot", stopped, Up, again, ""},
		{"up of one that is up keeps its programs", alive, Up, heal, ""},
		{"up of one with a dead node", someDead, Up, heal, ""},
		{"up of one of which a forward is left", allDead, Up, again, ""},
		{"up of one whose files are gone", lost, Up, nil, "the cluster runs (node1), but its files in /mine/cluster are missing: stop it with 'ringside-cluster down', then 'up' creates a new one"},
		{"up of one whose keys are gone", lostKeys, Up, nil, "are missing: stop it with 'ringside-cluster down'"},
		{"up in a directory of other things", foreignDir, Up, nil, "/mine/cluster is not empty and not the directory of a cluster"},
		{"up in another instance's directory", otherInstance, Up, nil, `/mine/cluster holds the cluster "other", not "ringside": use --instance=other, or another --state`},
		{"up beside another clone", othersLive, Up, nil, "another clone (/theirs/cluster): take it down with 'ringside-cluster down --state /theirs/cluster', or choose another --instance"},
		{"up after another clone died", othersDead, Up, takeOver, ""},

		{"down of nothing", nothing, Down, endNoDir, ""},
		{"down of one that is up", alive, Down, end, ""},
		{"down of one that is not", stopped, Down, end, ""},
		{"down of one whose files are gone", lost, Down, endNoDir, ""},
		{"down of one whose files are gone in part", lostInPart, Down, endNoMark, ""},
		{"down in a directory of other things", foreignDir, Down, nil, "nothing was stopped or removed"},
		{"down of another instance's directory", otherInstance, Down, nil, "use --instance=other"},
		{"down of another clone", othersLive, Down, nil, "another clone (/theirs/cluster)"},
		{"down after another clone died", othersDeadMineStopped, Down, end, ""},

		{"status of nothing", nothing, Status, nil, "no cluster is up in /mine/cluster"},
		{"status of one that is up", alive, Status, []Step{stepUse}, ""},
		{"status of one that is down", stopped, Status, []Step{stepUse}, ""},
		{"status of one whose files are gone", lost, Status, nil, "are missing"},
		{"status while another clone is up", othersLive, Status, nil, "another clone"},

		{"use of nothing", nothing, Use, nil, "run 'ringside-cluster up' first"},
		{"use of one that is down", stopped, Use, nil, "run 'ringside-cluster up' first"},
		{"use of one that is up", alive, Use, []Step{stepUse}, ""},
		{"use of one whose keys are gone", lostKeys, Use, nil, "are missing"},
		{"use of another clone", othersLive, Use, nil, "another clone"},

		{"preflight of nothing", nothing, Preflight, []Step{stepCheckHost}, ""},
		{"preflight of one that is up", alive, Preflight, []Step{stepCheckHost}, ""},
		{"preflight after another clone died clears nothing", othersDead, Preflight, []Step{stepCheckHost}, ""},
		{"preflight beside another clone", othersLive, Preflight, nil, "another clone"},
		{"preflight in a directory of other things", foreignDir, Preflight, nil, "is not empty"},

		{"something else", nothing, "explode", nil, `unknown operation "explode" of a cluster`},
	} {
		t.Run(test.name, func(t *testing.T) {
			state := test.state
			state.Instance, state.Dir = "ringside", mine
			plan, err := makePlan(state, Request{Verb: test.verb})
			if test.says != "" {
				require.ErrorContains(t, err, test.says)
				assert.NotContains(t, err.Error(), "\n", "one line")
				assert.Empty(t, plan.Steps)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, plan.Steps)
		})
	}
}

func TestOnlyWhatItRunsItselfCountsAsItsOwnMemoryAndPort(t *testing.T) {
	for _, test := range []struct {
		name    string
		state   State
		running bool
		remains string
	}{
		{"nothing", State{}, false, ""},
		{"a forward of its own", State{Saved: saved("ringside"), Owner: mine, Processes: 1}, true, ""},
		{"a forward of a dead clone's, which is ended first", State{Owner: theirs, Processes: 1}, false, theirs},
		{"a forward of an earlier life", State{Owner: mine, Processes: 1}, false, mine},
	} {
		test.state.Instance, test.state.Dir = "ringside", mine
		plan, err := makePlan(test.state, Request{Verb: Up})
		require.NoError(t, err, test.name)
		assert.Equal(t, test.running, plan.Running, test.name)
		assert.Equal(t, test.remains, plan.Remains, test.name)
	}
}

func TestKeepsAClusterAsItWasMade(t *testing.T) {
	kept := *saved("ringside")
	for _, test := range []struct {
		name    string
		request Request
		saved   *Settings
		want    Settings
		says    string
	}{
		{"a new cluster", Request{}, nil, Settings{Instance: "ringside", Nodes: DefaultNodes, APIPort: DefaultAPIPort, Verbosity: 1}, ""},
		{"a new cluster as asked", Request{Nodes: 2, APIPort: 8000, Verbosity: 4}, nil, Settings{Instance: "ringside", Nodes: 2, APIPort: 8000, Verbosity: 4}, ""},
		{"a new cluster with a registry", Request{RegistryPort: 5000}, nil, Settings{Instance: "ringside", Nodes: DefaultNodes, APIPort: DefaultAPIPort, Registry: 5000, Verbosity: 1}, ""},
		{"one whose registry wants a login", Request{RegistryPort: 5000, RegistryUsers: "/users"}, nil, Settings{Instance: "ringside", Nodes: DefaultNodes, APIPort: DefaultAPIPort, Registry: 5000, RegistryUsers: "/users", Verbosity: 1}, ""},
		{"one that is there", Request{}, saved("ringside"), kept, ""},
		{"one that is there, the same asked", Request{Nodes: 3, APIPort: 7000}, saved("ringside"), kept, ""},
		{"another number of nodes", Request{Nodes: 4}, saved("ringside"), Settings{}, "created with 3 nodes, not 4: take it down first"},
		{"a registry that it has not", Request{RegistryPort: 5000}, saved("ringside"), Settings{}, "created without a registry, not with one at port 5000: take it down first"},
		{"logins that it has not", Request{RegistryUsers: "/users"}, saved("ringside"), Settings{}, "created without logins to its registry, not with those of /users: take it down first"},
		{"another port", Request{APIPort: 7001}, saved("ringside"), Settings{}, "created with API port 7000, not 7001: take it down first"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := merge(test.request, State{Instance: "ringside", Dir: mine, Saved: test.saved})
			if test.says != "" {
				assert.ErrorContains(t, err, test.says)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}
