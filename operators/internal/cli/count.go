package cli

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/internal/runs/progress"
)

// count shows how many files are done: one line that is rewritten on a terminal, else a line per period.
type count struct {
	screen *screen
	doing  string
	told   time.Time
}

func newCount(app *App, doing string) *count {
	return &count{screen: newScreen(app), doing: doing, told: app.Now()}
}

func (c *count) show(done, of int) {
	now := c.screen.app.Now()
	line := fmt.Sprintf("%s  [%d/%d] %s", progress.Clock(now.Sub(c.screen.begun)), done, of, c.doing)
	switch {
	case c.screen.app.Terminal:
		c.screen.rewrite(line)
	case now.Sub(c.told) >= plainPeriod:
		c.told = now
		fmt.Fprintln(c.screen.app.Err, line)
	}
}
