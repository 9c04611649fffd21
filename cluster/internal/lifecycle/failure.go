package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ringside.dev/ringside/cluster/internal/machine"
)

const (
	// crashLimit is how often in a row a daemon must have ended soon after its start to be given up on. A few times are
	// usual while a cluster comes up: the controllers end when the API server is not ready for them.
	crashLimit = 6
	// tailLines is how much of a log is shown when something fails.
	tailLines = 15
)

// permanent marks a failure that waiting does not mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// poll tries until it succeeds or fails for good; when the time is up it returns the last failure.
func poll(ctx context.Context, every time.Duration, try func(context.Context) error) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		err := try(ctx)
		if err == nil || errors.As(err, &permanent{}) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-ticker.C:
		}
	}
}

// crashLoop reports whether one of the machine's daemons keeps ending.
func (c Cluster) crashLoop(machineName string) error {
	process, err := c.process(machineName)
	if err != nil {
		return err
	}
	if !process.Alive() {
		return permanent{fmt.Errorf("the machine ended, see %s", machine.InitLog(c.Layout.Logs(machineName)))}
	}
	services, err := process.Services()
	if err != nil {
		return nil // it has not begun yet
	}
	if i := slices.IndexFunc(services, failing); i >= 0 && services[i].Failures >= crashLimit {
		return permanent{fmt.Errorf("%s ended %d times", services[i].Name, services[i].Failures)}
	}
	return nil
}

func failing(s machine.ServiceStatus) bool { return !s.Running && s.Failures > 0 }

// failure names the daemon to blame and shows the end of its log. A daemon of the same machine that keeps ending is
// more to blame than the one that was waited for.
func (c Cluster) failure(machineName, service string, cause error) error {
	if process, err := c.process(machineName); err == nil {
		if services, err := process.Services(); err == nil {
			if i := slices.IndexFunc(services, failing); i >= 0 {
				service, cause = services[i].Name, fmt.Errorf("keeps ending (%s)", services[i].LastExit)
			}
		}
	}
	path := machine.ServiceLog(c.Layout.Logs(machineName), service)
	content, err := os.ReadFile(path)
	if err != nil {
		path = machine.InitLog(c.Layout.Logs(machineName))
		content, _ = os.ReadFile(path) // the path alone is of use, too
	}
	return fmt.Errorf("%s on %s %w\nlast lines of %s:\n%s", service, machineName, cause, path, tail(string(content), tailLines))
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
