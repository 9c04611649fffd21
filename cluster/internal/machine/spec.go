// Package machine runs a set of daemons as if on their own machine: with their own process, mount, network, host name
// and IPC namespaces, and a small init that restarts daemons that exit.
//
// All changes that such a machine makes to the system depend on its namespaces. When its init is killed, the kernel
// ends every process in it, including containers, and removes its mounts, links, routes and packet filter rules.
package machine

import "time"

// Spec describes a machine.
type Spec struct {
	Name    string
	Binds   []Bind            // mounted in order
	Masks   map[string]string // path under /proc/sys -> content that processes read; the host's value is not changed
	Sysctls map[string]string // path under /proc/sys -> value; only for settings of the network namespace
	// SysctlsIfThere are Sysctls that are skipped if the kernel does not have them.
	SysctlsIfThere map[string]string
	Services       []Service
}

// Bind makes a directory of the host visible in the machine.
type Bind struct {
	Source string // on the host; created if missing
	Target string // in the machine; created if missing and below /run
}

// Service is a daemon of a machine.
type Service struct {
	Name    string
	Args    []string // the first is the absolute path of the program
	Env     []string // added to a minimal environment
	WaitFor []string // endpoints, "unix:/path" or "tcp:host:port", that must accept a connection before the start
	// TimerSlack is how much later than requested the kernel may fire its timers, so that several timers share one
	// wake-up. Child processes inherit it. 0 means the kernel's default of 50 us.
	TimerSlack time.Duration
}

// Frugal returns the environment of a Go daemon with a small heap, which may grow so that collections take less CPU
// time from what is measured. Collections are a tenth of an idle kubelet's work, and half of that is done by threads
// that wake up for them.
func Frugal() []string { return []string{"GOGC=400"} }

// Modest returns the environment of a daemon that is mostly idle. It runs one goroutine at a time. With more, Go wakes
// a thread for each of many small tasks that are due at once, and on a busy virtual machine a wake-up is more expensive
// than the task: one thread halved the CPU time of containerd, and saved a quarter of a kubelet's.
func Modest() []string { return append(Frugal(), "GOMAXPROCS=1") }

// Leisurely is the TimerSlack of a daemon whose periodic tasks may be late: a kubelet checks its volumes ten times a
// second, and has a dozen other periodic tasks. It halves a kubelet's CPU time. It must not be used for a daemon whose
// child processes are measured, because they would inherit it.
const Leisurely = 50 * time.Millisecond

// Paths inside a machine.
const (
	BinDir     = "/run/bin"
	ConfigDir  = "/run/config" // the machine's own directory on the host
	LogDir     = "/run/logs"
	statusFile = "/run/services.json"
	// shortfallsFile has a line for each limit that could not be raised.
	shortfallsFile = "/run/limits"
)

// ServiceStatus is the status of a service as known to init.
type ServiceStatus struct {
	Name     string `json:"name"`
	Running  bool   `json:"running"`
	PID      int    `json:"pid,omitempty"` // in the machine's PID namespace
	Restarts int    `json:"restarts"`
	Failures int    `json:"failures"` // consecutive exits, each within steadyAfter of its start
	LastExit string `json:"lastExit,omitempty"`
}
