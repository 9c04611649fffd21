package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Controllers of version 2: those that the cluster requires, and those that the kubelet uses if present.
var (
	requiredOfV2 = []string{"cpu", "cpuset", "memory", "pids"}
	usefulOnV2   = []string{"io", "hugetlb"}
)

// asideGroup holds the processes of a container's own group while clusters run. The name is not valid for an instance.
const asideGroup = "host.processes"

// v2 is the unified tree.
//
// A group passes only enabled controllers to its children. The tree's root belongs to the host. Before its first change
// there, Make records which controllers are off, because the kubelet enables all that exist. They are disabled with the
// last group of the base. If other programs use such a controller by then, the kernel keeps it enabled where it is used
// further down. They lose nothing that they had set up below their first group.
type v2 struct {
	mount    string
	record   string // lists the controllers that were off in the root
	required []string
	useful   []string
}

func newV2(mount, records string) v2 {
	return v2{mount: mount, record: filepath.Join(records, "controllers"), required: requiredOfV2, useful: usefulOnV2}
}

func (t v2) dir(group string) string { return filepath.Join(t.mount, group) }

func (t v2) Faults() []string {
	available, err := readWords(filepath.Join(t.mount, "cgroup.controllers"))
	if err != nil {
		return []string{fmt.Sprintf("the controllers in %s cannot be read (%v)", t.mount, err)}
	}
	var faults []string
	for _, controller := range t.required {
		if !slices.Contains(available, controller) {
			faults = append(faults, fmt.Sprintf("control group controller %s is not given in %s", controller, t.mount))
		}
	}
	if err := unix.Access(t.mount, unix.W_OK); err != nil {
		faults = append(faults, fmt.Sprintf("control groups cannot be made in %s (%v)", t.mount, err))
	}
	return faults
}

// Notes predicts what passOn does if a group that is not the host's root has processes.
func (t v2) Notes() []string {
	_, err := os.Stat(filepath.Join(t.mount, "cgroup.type")) // exists everywhere but in the host's root
	if err != nil {
		return nil
	}
	pids, err := processesIn(t.mount)
	on, _ := readWords(filepath.Join(t.mount, "cgroup.subtree_control")) // if unreadable, no controller is known to be enabled
	if err != nil || len(pids) == 0 || len(on) > 0 {
		return nil
	}
	return []string{fmt.Sprintf("the control group of this container holds %d processes: they are moved to a group below it until the cluster is taken down", len(pids))}
}

func (t v2) Memory() (limit, used int64, err error) {
	return memoryOf(t.mount, "memory.max", "memory.current", "inactive_file")
}

func (t v2) Make(group string) error {
	dir := t.mount
	base := parts(group)[0]
	if err := t.recordOff(base); err != nil {
		return fmt.Errorf("record controllers: %w", err)
	}
	for _, part := range parts(group) {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			return fmt.Errorf("make control group: %w", err)
		}
		if err := t.passOn(dir, base); err != nil {
			return err
		}
		dir = filepath.Join(dir, part)
	}
	return nil
}

// passOn enables the controllers for the children of a directory.
func (t v2) passOn(dir, base string) error {
	available, err := readWords(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return fmt.Errorf("read controllers: %w", err)
	}
	for _, controller := range slices.Concat(t.required, t.useful) {
		on, err := readWords(filepath.Join(dir, "cgroup.subtree_control"))
		if err != nil {
			return fmt.Errorf("read controllers: %w", err)
		}
		if slices.Contains(on, controller) {
			continue
		}
		err = fmt.Errorf("it is not given in %s", dir)
		if slices.Contains(available, controller) {
			err = t.switchOn(dir, controller, base)
		}
		if err != nil && slices.Contains(t.required, controller) {
			return fmt.Errorf("pass control group controller %s on: %w", controller, err)
		}
	}
	return nil
}

func (t v2) switchOn(dir, controller, base string) error {
	err := control(dir, "+"+controller)
	if dir == t.mount && errors.Is(err, unix.EBUSY) {
		// A group other than the host's root cannot enable controllers while it has processes.
		if err := moveAll(dir, filepath.Join(dir, base, asideGroup)); err != nil {
			return err
		}
		err = control(dir, "+"+controller)
	}
	return err
}

// recordOff records the controllers that are off in the root, before the first group of the base is made.
func (t v2) recordOff(base string) error {
	if exists(t.dir(base)) {
		return nil
	}
	off, err := readWords(filepath.Join(t.mount, "cgroup.controllers"))
	if err != nil {
		return err
	}
	on, err := readWords(filepath.Join(t.mount, "cgroup.subtree_control"))
	if err != nil {
		return err
	}
	off = slices.DeleteFunc(off, func(controller string) bool { return slices.Contains(on, controller) })
	if err := os.MkdirAll(filepath.Dir(t.record), 0o755); err != nil {
		return err
	}
	return os.WriteFile(t.record, []byte(strings.Join(off, "\n")), 0o644)
}

func (t v2) Weigh(group string, n int) error {
	return weigh(t.mount, group, "cpu.weight", min(100*n, 10000), 10000)
}

// WeighDaemons writes the weight into which the kubelet converts the 1024 shares that such a group has on version 1. It
// converts those of the pods beside it, 1024 for each core, in the same way.
func (t v2) WeighDaemons(group string) error {
	return writeWeight(t.dir(group), "cpu.weight", 1+(1024-2)*9999/262142)
}

func (t v2) Join(group string, pid int) error { return joinIn(t.dir(group), pid) }

func (t v2) Processes(group string) ([]int, error) { return processesUnder(t.dir(group)) }

// Kill uses cgroup.kill, which also catches processes that start meanwhile. Kernels before 5.14 do not have it.
func (t v2) Kill(group string) error {
	f, err := os.OpenFile(filepath.Join(t.dir(group), "cgroup.kill"), os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("1")
		return errors.Join(err, f.Close())
	}
	if !gone(err) {
		return fmt.Errorf("end processes of control group %s: %w", group, err)
	}
	pids, err := t.Processes(group)
	if err != nil {
		return err
	}
	return killEach(pids)
}

func (t v2) Remove(group string) error {
	if err := removeTree(t.dir(group)); err != nil {
		return fmt.Errorf("remove control group: %w", err)
	}
	if above := filepath.Dir(group); above != "/" && exists(t.dir(above)) {
		return t.removeBase(t.dir(above))
	}
	return nil
}

// removeBase reverts, with the last cluster, the changes of the first one, in reverse order: the kernel disables a
// controller only if no child group has it enabled, and accepts processes only in a group without enabled controllers.
func (t v2) removeBase(base string) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return fmt.Errorf("look at control group: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != asideGroup {
			return nil // of another cluster
		}
	}
	on, err := readWords(filepath.Join(base, "cgroup.subtree_control"))
	if err != nil {
		return fmt.Errorf("read controllers: %w", err)
	}
	for _, controller := range on {
		if err := control(base, "-"+controller); err != nil {
			return err
		}
	}
	off, err := readWords(t.record)
	if err != nil {
		return fmt.Errorf("read record of controllers: %w", err)
	}
	for _, controller := range off {
		if err := control(t.mount, "-"+controller); err != nil && !errors.Is(err, unix.EBUSY) {
			return err
		}
	}
	aside := filepath.Join(base, asideGroup)
	if exists(aside) {
		if err := moveAll(aside, t.mount); err != nil {
			return err
		}
	}
	if err := removeTree(base); err != nil {
		return fmt.Errorf("remove control group: %w", err)
	}
	if err := os.Remove(t.record); err != nil && !gone(err) {
		return fmt.Errorf("remove record of controllers: %w", err)
	}
	return nil
}

func (t v2) Remaining(group string) []string {
	if dir := t.dir(group); exists(dir) {
		return []string{dir}
	}
	return nil
}

func control(dir, change string) error {
	if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte(change), 0); err != nil {
		return fmt.Errorf("change controllers by %s: %w", change, err)
	}
	return nil
}

// moveAll moves the processes of one group into another. It repeats for processes that start meanwhile. Some cannot be
// moved: kernel threads.
func moveAll(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return fmt.Errorf("make control group: %w", err)
	}
	for range 10 {
		pids, err := processesIn(from)
		if err != nil || len(pids) == 0 {
			return err
		}
		for _, pid := range pids {
			if err := joinIn(to, pid); err != nil && !errors.Is(err, unix.ESRCH) && !errors.Is(err, unix.EINVAL) {
				return err
			}
		}
	}
	return fmt.Errorf("processes stay in control group %s: %w", from, unix.EBUSY)
}

// processesIn returns the processes of one group without its children.
func processesIn(dir string) ([]int, error) {
	words, err := readWords(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil, fmt.Errorf("list processes of control group: %w", err)
	}
	var pids []int
	for _, word := range words {
		var pid int
		if _, err := fmt.Sscan(strings.TrimSpace(word), &pid); err == nil && pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}
