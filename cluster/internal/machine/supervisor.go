package machine

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 10 * time.Second
	// steadyAfter is the run time after which a service's failures are counted from zero again.
	steadyAfter = 30 * time.Second
	// waitAtMost bounds WaitFor. After that the service is started regardless, and its own log shows the problem.
	waitAtMost = 60 * time.Second
)

// supervisor starts services, restarts those that exit, and reaps all processes that end.
type supervisor struct {
	logDir     string
	statusFile string

	mu       sync.Mutex
	exits    map[int]chan syscall.WaitStatus // by process id
	statuses []ServiceStatus
}

func newSupervisor(logDir, statusFile string) *supervisor {
	return &supervisor{logDir: logDir, statusFile: statusFile, exits: map[int]chan syscall.WaitStatus{}}
}

// run keeps the services running. It does not return.
func (s *supervisor) run(services []Service) error {
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	for _, service := range services {
		s.statuses = append(s.statuses, ServiceStatus{Name: service.Name})
	}
	for _, service := range services {
		go s.keepUp(service)
	}
	for range children {
		s.reap()
	}
	return nil
}

// reap reaps every child that has ended. Orphans of the whole machine become children of its process 1.
func (s *supervisor) reap() {
	for {
		// Hold the lock during the wait, so that a service that exits at once is registered before it is reaped.
		s.mu.Lock()
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if exited, ours := s.exits[pid]; ours && pid > 0 {
			delete(s.exits, pid)
			exited <- status
		}
		s.mu.Unlock()
		if pid <= 0 || (err != nil && err != syscall.EINTR) {
			return
		}
	}
}

func (s *supervisor) keepUp(service Service) {
	output := newRotatingLog(ServiceLog(s.logDir, service.Name), maxLogBytes)
	for failures := 0; ; {
		for _, endpoint := range service.WaitFor {
			if err := waitUntilAccepts(endpoint, waitAtMost); err != nil {
				log.Printf("%s: %v; starting it regardless", service.Name, err)
			}
		}
		started := time.Now()
		reason := s.runOnce(service, output)
		if time.Since(started) > steadyAfter {
			failures = 0
		}
		failures++
		s.report(service.Name, func(status *ServiceStatus) {
			status.Running, status.PID, status.LastExit, status.Failures = false, 0, reason, failures
			status.Restarts++
		})
		pause := pauseAfter(failures)
		log.Printf("%s: %s; starting it again in %v", service.Name, reason, pause)
		time.Sleep(pause)
	}
}

// pauseAfter returns the pause before a restart, which doubles with each consecutive failure.
func pauseAfter(failures int) time.Duration {
	pause := firstPause
	for range failures - 1 {
		if pause *= 2; pause >= longestPause {
			return longestPause
		}
	}
	return pause
}

// runOnce starts the service, waits for its end and returns how it ended.
func (s *supervisor) runOnce(service Service, output *rotatingLog) string {
	reader, writer, err := os.Pipe()
	if err != nil {
		return fmt.Sprintf("cannot be started: %v", err)
	}
	go output.copyFrom(reader)
	exited := make(chan syscall.WaitStatus, 1)
	pid, err := s.fork(service, writer, exited)
	_ = writer.Close()
	if err != nil {
		return fmt.Sprintf("cannot be started: %v", err)
	}
	log.Printf("%s: started as process %d", service.Name, pid)
	s.report(service.Name, func(status *ServiceStatus) { status.Running, status.PID = true, pid })
	return describe(<-exited)
}

func (s *supervisor) fork(service Service, output *os.File, exited chan syscall.WaitStatus) (int, error) {
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer nothing.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	// A process inherits the timer slack of the thread that starts it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := setTimerSlack(service.TimerSlack); err != nil {
		return 0, err
	}
	defer setTimerSlack(0) //nolint:errcheck // as above
	// Not os.StartProcess, which waits for its children itself.
	pid, err := syscall.ForkExec(service.Args[0], service.Args, &syscall.ProcAttr{
		Dir:   "/",
		Env:   append([]string{"PATH=" + BinDir + "/kube:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"}, service.Env...),
		Files: []uintptr{nothing.Fd(), output.Fd(), output.Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return 0, err
	}
	s.exits[pid] = exited
	return pid, nil
}

// setTimerSlack sets the timer slack of the calling thread; 0 restores its default.
func setTimerSlack(slack time.Duration) error {
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(slack.Nanoseconds()), 0, 0, 0); err != nil {
		return fmt.Errorf("set timer slack: %w", err)
	}
	return nil
}

func (s *supervisor) report(name string, change func(*ServiceStatus)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.statuses, func(status ServiceStatus) bool { return status.Name == name })
	change(&s.statuses[i])
	content, err := json.Marshal(s.statuses)
	if err == nil {
		err = writeFileAtomically(s.statusFile, content)
	}
	if err != nil {
		log.Printf("report status: %v", err)
	}
}

func describe(status syscall.WaitStatus) string {
	if status.Signaled() {
		return fmt.Sprintf("killed by signal %d (%v)", status.Signal(), status.Signal())
	}
	return fmt.Sprintf("exited with code %d", status.ExitStatus())
}

// waitUntilAccepts returns when the endpoint ("unix:/path", "tcp:host:port") accepts connections.
func waitUntilAccepts(endpoint string, atMost time.Duration) error {
	network, address, _ := strings.Cut(endpoint, ":")
	deadline := time.Now().Add(atMost)
	for {
		connection, err := net.DialTimeout(network, address, time.Second)
		if err == nil {
			return connection.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("nothing answers at %s after %v: %w", endpoint, atMost, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
