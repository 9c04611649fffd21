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
	// crashLimit is the number of consecutive early exits after which a daemon counts as failed. A few are usual while
	// a cluster starts: the controllers exit if the API server is not ready for them. Cluster.Patience multiplies it.
	crashLimit = 6
	// tailLines is the number of log lines in an error.
	tailLines = 15
)

// permanent marks an error that does not pass with time.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// poll retries until try succeeds or fails permanently. After a timeout it returns the last error.
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

// crashLoop returns an error if one of the machine's daemons exits repeatedly.
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
		return nil // it has not started yet
	}
	if i := slices.IndexFunc(services, failing); i >= 0 && services[i].Failures >= crashLimit*max(c.Patience, 1) {
		return permanent{fmt.Errorf("%s ended %d times", services[i].Name, services[i].Failures)}
	}
	return nil
}

func failing(s machine.ServiceStatus) bool { return !s.Running && s.Failures > 0 }

// failure returns an error with the failed daemon and the end of its log. If another daemon of the machine exits
// repeatedly, that one is named instead of the daemon that was waited for.
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
		content, _ = os.ReadFile(path) // the path alone helps too
	}
	return fmt.Errorf("%s on %s %w\nlast lines of %s:\n%s", service, machineName, cause, path, tail(string(content), tailLines))
}

func tail(text string, lines int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
