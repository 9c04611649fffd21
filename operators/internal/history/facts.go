package history

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/settings"
)

// Names of recorded facts. They are also the attributes of a run in the CSV.
const (
	factImage    = "store image"
	factPlugin   = "plugin"
	factLoad     = "load image"
	factNodes    = "nodes"
	factKernel   = "kernel"
	factSystem   = "operating system"
	factRuntime  = "container runtime"
	factKubelet  = "kubelet"
	factHardware = "hardware"
	factSettings = "settings' digest"
	factClass    = "class"
	// factReported begins the names of what the store reports about itself, factSetting those of its settings.
	factReported = "reported "
	factSetting  = "setting "
)

// AttributeFacts are the facts that are columns of the CSV.
func AttributeFacts() []string {
	return []string{factImage, factPlugin, factLoad, factNodes, factKernel, factHardware}
}

// recorder collects all values of each fact.
type recorder map[string][]string

func (r recorder) add(name, value string) {
	if value != "" && !slices.Contains(r[name], value) {
		r[name] = append(r[name], value)
	}
}

func (r recorder) joined() map[string]string {
	facts := map[string]string{}
	for name, values := range r {
		slices.Sort(values)
		facts[name] = strings.Join(values, "+")
	}
	return facts
}

// factsOf returns what the archive records of the servers of a run that compare.Differences allows to differ, and of its nodes.
func factsOf(run *archive.Run, servers ...string) map[string]string {
	r := recorder{}
	for i := range run.Rows {
		row := &run.Rows[i]
		m := run.Measurements[row.Measurement]
		if row.Warmup || m == nil || !slices.Contains(servers, row.Server) {
			continue
		}
		if m.Status.LoadImage != nil {
			r.add(factLoad, strings.Join(slices.Sorted(slices.Values(m.Status.LoadImage.Digests)), "+"))
		}
		r.ofProof(m.Status.Proof)
		r.ofEnvironment(m.Status.Environment)
	}
	for _, server := range servers {
		values, _ := compare.Arm{Run: run, Server: server}.Settings()
		for name, value := range values {
			r.add(factSetting+name, value)
		}
	}
	return r.joined()
}

func (r recorder) ofProof(proof *v1beta1.Proof) {
	if proof == nil {
		return
	}
	r.add(factImage, proof.ImageDigest)
	r.add(factPlugin, proof.PluginSHA256)
	r.add(factClass, proof.Class)
	r.add(factSettings, proof.SettingsSHA256)
	for name, value := range proof.Environment {
		if name != compare.ReportedFlags {
			r.add(factReported+name, value)
		}
	}
}

func (r recorder) ofEnvironment(environment *v1beta1.Environment) {
	if environment == nil {
		return
	}
	for _, node := range slices.Concat(environment.StoreNodes, environment.LoadNodes) {
		r.add(factNodes, node.Name)
		r.add(factKernel, node.Kernel)
		r.add(factSystem, node.OSImage)
		r.add(factRuntime, node.ContainerRuntime)
		r.add(factKubelet, node.KubeletVersion)
		r.add(factHardware, strings.Join(strings.Fields(fmt.Sprintf("%s %s CPUs %s %s %s", node.Architecture, node.CPUs, node.Memory, node.Disk, node.InstanceType)), " "))
	}
	for name, value := range environment.Store {
		if name != compare.ReportedFlags {
			r.add(factReported+name, value)
		}
	}
}

// difference is a fact that two runs record differently, in words.
type difference struct{ fact, line string }

// differ lists what two runs record differently of the servers. What differs for every server alike is listed once; else it has the server's name.
func differ(a, b *archive.Run, servers ...string) []string {
	var all []difference
	by := map[difference][]string{} // the servers of each difference
	for _, server := range servers {
		for _, d := range factsDiffer(factsOf(a, server), factsOf(b, server)) {
			if by[d] == nil {
				all = append(all, d)
			}
			by[d] = append(by[d], server)
		}
	}
	slices.SortStableFunc(all, func(x, y difference) int { return byWeight(x.fact, y.fact) })
	var lines []string
	for _, d := range all {
		if len(by[d]) < len(servers) {
			d.line = strings.Join(by[d], ", ") + ": " + d.line
		}
		lines = append(lines, d.line)
	}
	return lines
}

// factsDiffer compares the facts of two runs. The digest of all settings is listed only if no single setting explains it.
func factsDiffer(a, b map[string]string) []difference {
	var all []difference
	explained, known := false, a[factSettings] != "" && b[factSettings] != ""
	settingsA, settingsB := settingsOf(a), settingsOf(b)
	for _, name := range slices.SortedFunc(maps.Keys(union(a, b)), byWeight) {
		x, y := a[name], b[name]
		setting, is := strings.CutPrefix(name, factSetting)
		switch {
		case is:
			if values := settings.Values(setting, settingsA, settingsB); known && settings.Vary(values) {
				explained = true
				all = append(all, difference{name, fmt.Sprintf("%s from %s to %s", name, values[0], values[1])})
			}
		case x == y || name == factSettings && explained:
		case x == "" || y == "":
			all = append(all, difference{name, name + " is known of one run only"})
		default:
			all = append(all, difference{name, fmt.Sprintf("%s from %s to %s", name, Shortened(x), Shortened(y))})
		}
	}
	return all
}

// settingsOf returns the settings among the facts, by their own names.
func settingsOf(facts map[string]string) map[string]string {
	found := map[string]string{}
	for fact, value := range facts {
		if name, is := strings.CutPrefix(fact, factSetting); is {
			found[name] = value
		}
	}
	return found
}

// byWeight sorts facts: first what somebody changed on purpose, last what changes by itself. Settings come before their digest.
func byWeight(a, b string) int {
	weight := func(name string) int {
		switch {
		case strings.HasPrefix(name, factSetting):
			return 3
		case strings.HasPrefix(name, factReported):
			return 5
		}
		return slices.Index([]string{factImage, factPlugin, factLoad, "", factSettings, "", factClass, factHardware, factKernel, factSystem, factRuntime, factKubelet, factNodes}, name)
	}
	return cmp.Or(cmp.Compare(weight(a), weight(b)), cmp.Compare(a, b))
}

func union(a, b map[string]string) map[string]bool {
	names := map[string]bool{}
	for _, facts := range []map[string]string{a, b} {
		for name := range facts {
			names[name] = true
		}
	}
	return names
}

// digestShown is how many digits of a digest are shown.
const digestShown = 12

// Shortened cuts digests to their first digits.
func Shortened(value string) string {
	parts := strings.Split(value, "+")
	for i, part := range parts {
		digits := strings.TrimPrefix(part, "sha256:")
		if at := strings.LastIndex(part, "@sha256:"); at >= 0 {
			digits = part[at+len("@sha256:"):]
		}
		if len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == "" {
			parts[i] = digits[:digestShown]
		}
	}
	return strings.Join(parts, "+")
}
