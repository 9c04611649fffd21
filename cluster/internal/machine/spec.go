// Package machine runs a set of daemons as if on a machine of their own: in their own process, mount,
// network, host name and IPC namespaces, under a small init that restarts what dies.
//
// Everything such a machine does to the system hangs on its namespaces. When its init is killed, the kernel
// ends every process in it, containers included, and drops its mounts, links, routes and packet filter rules.
package machine

import "time"

// Spec describes a machine.
type Spec struct {
	Name    string
	Binds   []Bind            // made in order
	Masks   map[string]string // path under /proc/sys -> what a reader finds there; the host's value stays as it is
	Sysctls map[string]string // path under /proc/sys -> value; only for what belongs to the network namespace
	// SysctlsIfThere are left out where the kernel has no such setting.
	SysctlsIfThere map[string]string
	Services       []Service
}

// Bind shows a directory of the host inside the machine.
type Bind struct {
	Source string // on the host, made if missing
	Target string // in the machine; below /run it is made if missing
}

// Service is one daemon of a machine.
type Service struct {
	Name    string
	Args    []string // the program first, as an absolute path
	Env     []string // added to a minimal environment
	WaitFor []string // each "unix:/path" or "tcp:host:port" that must accept a connection first
	// TimerSlack is how late the kernel may wake it for a timer, so that timers that end one after the other cost one wake-up.
	// What it starts inherits this. 0 leaves the kernel's 50 us.
	TimerSlack time.Duration
}

// Frugal is the environment of a daemon written in Go whose small heap may grow rather than take processor time from what is
// measured: collections are a tenth of an idle kubelet's work, and half of that is done by threads that wake for it.
func Frugal() []string { return []string{"GOGC=400"} }

// Modest is the environment of a daemon that mostly waits: one goroutine at a time. With more, Go wakes a thread for each of the
// many small things that come due at once, and on a busy virtual machine such a wake-up costs more than the thing: one thread
// halved what containerd takes and spared a kubelet a quarter.
func Modest() []string { return append(Frugal(), "GOMAXPROCS=1") }

// Leisurely is the TimerSlack of a daemon whose rounds may be late: a kubelet looks at its volumes ten times a second, and at a
// dozen other things as often as it finds good. It halves a kubelet's cost once more. Nothing whose children are measured may
// have it: they would inherit it.
const Leisurely = 50 * time.Millisecond

// Places inside a machine.
const (
	BinDir     = "/run/bin"
	ConfigDir  = "/run/config" // the machine's own directory on the host
	LogDir     = "/run/logs"
	statusFile = "/run/services.json"
	// shortfallsFile has a line for each limit that could not be raised.
	shortfallsFile = "/run/limits"
)

// ServiceStatus is what init knows of a service.
type ServiceStatus struct {
	Name     string `json:"name"`
	Running  bool   `json:"running"`
	PID      int    `json:"pid,omitempty"` // in the machine's process namespace
	Restarts int    `json:"restarts"`
	Failures int    `json:"failures"` // in a row, each within steadyAfter of its start
	LastExit string `json:"lastExit,omitempty"`
}
