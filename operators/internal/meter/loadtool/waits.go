package loadtool

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// waits adds up how long the load tool's threads ran, and how long they were runnable but waited for a core, by the scheduler's counts. A
// check reads one small file per thread.
type waits struct {
	// proc is the path of the proc file system; root is the process whose descendants are watched.
	proc string
	root int
	// threads holds the last counts of each thread, by folder; those that have ended stay in the sums.
	threads     map[string]threadTime
	ran, waited int64
	// unknown reports that the kernel does not provide the counts.
	unknown bool
}

// threadTime holds the scheduler's counts for a thread, in nanoseconds.
type threadTime struct{ ran, waited int64 }

func newWaits(proc string, root int) *waits {
	return &waits{proc: proc, root: root, threads: map[string]threadTime{}}
}

// look adds what the descendants of the root did since the last check.
func (w *waits) look() {
	for _, pid := range w.descendants(w.root) {
		files, err := filepath.Glob(fmt.Sprintf("%s/%d/task/*/schedstat", w.proc, pid))
		if err != nil || len(files) == 0 {
			w.unknown = w.unknown || exists(fmt.Sprintf("%s/%d/task", w.proc, pid)) // otherwise the process has ended
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
		before = threadTime{} // a new thread with a reused number
	}
	w.ran += now.ran - before.ran
	w.waited += now.waited - before.waited
	w.threads[thread] = now
}

// ratio returns the share of the threads' runnable time that they waited for a core; nil if unknown.
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

// numbersIn returns the numbers in a file of the kernel; none if the file is gone.
func numbersIn(file string) []int {
	var numbers []int
	for _, field := range strings.Fields(readText(file)) {
		if n, err := strconv.Atoi(field); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
