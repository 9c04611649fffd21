package loadtool

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// waits adds up how long the load tool's threads ran, and how long they wanted to and waited for a core, as the scheduler counts it for
// each. A look costs one small file per thread.
type waits struct {
	// proc is where the kernel shows processes, root the one whose children are watched.
	proc string
	root int
	// threads as they were last seen, by their folder; those that have ended stay in the sums.
	threads     map[string]threadTime
	ran, waited int64
	// unknown: the kernel does not count, or does not show it.
	unknown bool
}

// threadTime is what the scheduler counted for a thread, in nanoseconds.
type threadTime struct{ ran, waited int64 }

func newWaits(proc string, root int) *waits {
	return &waits{proc: proc, root: root, threads: map[string]threadTime{}}
}

// look at what the children of the root, and theirs, did since the last look.
func (w *waits) look() {
	for _, pid := range w.descendants(w.root) {
		files, err := filepath.Glob(fmt.Sprintf("%s/%d/task/*/schedstat", w.proc, pid))
		if err != nil || len(files) == 0 {
			w.unknown = w.unknown || exists(fmt.Sprintf("%s/%d/task", w.proc, pid)) // else it has ended
			continue
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				continue // the thread has ended
			}
			w.add(file, string(data))
		}
	}
}

func (w *waits) add(thread, schedstat string) {
	fields := strings.Fields(schedstat)
	if len(fields) < 2 {
		w.unknown = true
		return
	}
	ran, ranErr := strconv.ParseInt(fields[0], 10, 64)
	waited, waitedErr := strconv.ParseInt(fields[1], 10, 64)
	if ranErr != nil || waitedErr != nil {
		w.unknown = true
		return
	}
	now, before := threadTime{ran, waited}, w.threads[thread]
	if now.ran < before.ran || now.waited < before.waited {
		before = threadTime{} // a new thread of an old one's number
	}
	w.ran += now.ran - before.ran
	w.waited += now.waited - before.waited
	w.threads[thread] = now
}

// ratio of the time in which threads wanted a core that they waited for one; nil where nothing is known.
func (w *waits) ratio() *float64 {
	if w.unknown || w.ran+w.waited == 0 {
		return nil
	}
	return new(float64(w.waited) / float64(w.ran+w.waited))
}

func (w *waits) descendants(pid int) []int {
	var out []int
	lists, err := filepath.Glob(fmt.Sprintf("%s/%d/task/*/children", w.proc, pid))
	if err != nil {
		return nil
	}
	for _, list := range lists {
		for _, child := range numbersIn(list) {
			out = append(append(out, child), w.descendants(child)...)
		}
	}
	return out
}

// numbersIn a file of the kernel's; none where it is gone.
func numbersIn(file string) []int {
	var numbers []int
	for _, field := range strings.Fields(readText(file)) {
		if n, err := strconv.Atoi(field); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
