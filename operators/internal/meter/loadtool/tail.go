package loadtool

import (
	"bytes"
	"strings"
	"sync"
)

const (
	// tailLines and tailWidth limit what is kept of a tool's output: its last lines, not its whole output.
	tailLines = 10
	tailWidth = 240
)

// tail is a writer that keeps the last lines written to it.
type tail struct {
	mu      sync.Mutex
	lines   []string
	partial []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if room := tailWidth - len(t.partial); room > 0 {
			t.partial = append(t.partial, line[:min(len(line), room)]...)
		}
		if !ended {
			break
		}
		t.keep()
		rest = after
	}
	return len(p), nil
}

func (t *tail) keep() {
	line := strings.TrimSpace(strings.ToValidUTF8(string(t.partial), "?"))
	t.partial = t.partial[:0]
	if line == "" {
		return
	}
	t.lines = append(t.lines, line)
	if len(t.lines) > tailLines {
		t.lines = append(t.lines[:0], t.lines[len(t.lines)-tailLines:]...)
	}
}

// String returns the last lines, oldest first.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.partial) > 0 {
		t.keep()
	}
	return strings.Join(t.lines, "\n")
}
