package cli

import (
	"fmt"
	"time"
	"unicode/utf8"

	"ringside.dev/ringside/operators/internal/runs/progress"
)

// Intervals of progress lines where a line cannot be rewritten: while a phase runs, and while waiting.
const (
	plainPeriod   = 10 * time.Second
	waitingPeriod = 30 * time.Second
)

// screen shows progress: one line that is rewritten on a terminal, else a line per change of activity and per period.
type screen struct {
	app     *App
	begun   time.Time
	told    time.Time
	doing   string
	showing bool
}

func newScreen(app *App) *screen { return &screen{app: app, begun: app.Now()} }

func (s *screen) show(state progress.State) {
	period := waitingPeriod
	if state.Measuring {
		period = plainPeriod
	}
	s.line(state.Line(), state.Where+state.Doing, period)
}

// line shows a text. Where it cannot be rewritten, it is printed when the activity changes, and once per period.
func (s *screen) line(text, doing string, period time.Duration) {
	now := s.app.Now()
	line := progress.Clock(now.Sub(s.begun)) + "  " + text
	if s.app.Terminal {
		s.rewrite(line)
		return
	}
	if doing == s.doing && now.Sub(s.told) < period {
		return
	}
	s.doing, s.told = doing, now
	fmt.Fprintln(s.app.Err, line)
}

// rewrite replaces the last line.
func (s *screen) rewrite(line string) {
	fmt.Fprintf(s.app.Err, "\r\x1b[K%s", cut(line, s.app.Width()-1))
	s.showing = true
}

// clear removes the progress line before a permanent line is printed.
func (s *screen) clear() {
	if s.showing {
		fmt.Fprint(s.app.Err, "\r\x1b[K")
		s.showing = false
	}
}

func cut(line string, width int) string {
	if width < 1 || utf8.RuneCountInString(line) <= width {
		return line
	}
	return string([]rune(line)[:width-1]) + "…"
}
