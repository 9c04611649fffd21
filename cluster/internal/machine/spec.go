// Package machine runs a set of daemons as if on a machine of their own: in their own process, mount,
// network, host name and IPC namespaces, under a small init that restarts what dies.
//
// Everything such a machine does to the system hangs on its namespaces. When its init is killed, the kernel
// ends every process in it, containers included, and drops its mounts, links, routes and packet filter rules.
package machine

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
}

// Frugal is the environment of a daemon written in Go whose small heap may grow rather than take processor time from what is
// measured: collections are a tenth of an idle kubelet's work, and half of that is done by threads that wake for it.
func Frugal() []string { return []string{"GOGC=400"} }

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
