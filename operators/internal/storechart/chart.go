package storechart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const (
	// annotationKind is store for the chart of a store.
	annotationKind = "ringside.dev/kind"
	kindStore      = "store"
	// annotationSingleConnection lists, separated by commas, the server types that serve one connection at a time.
	annotationSingleConnection = "ringside.dev/single-connection-servers"
	// annotationThreads maps server types that hold a thread for each connection to the path of the value with the number of a node's threads.
	annotationThreads = "ringside.dev/connection-threads"
	// annotationExclusive lists, separated by commas, the server types that keep cores busy while nothing is asked of them.
	annotationExclusive = "ringside.dev/exclusive-servers"
	// annotationOperations is the name of the store's operations, in the plural: requests, packets.
	annotationOperations = "ringside.dev/operations"
	// annotationLatency is the unit in which the store's latencies are printed: ms or us.
	annotationLatency = "ringside.dev/latency-unit"
	// annotationQueue names the counters whose difference is the length of the store's queue: received - done.
	annotationQueue = "ringside.dev/queue"
	// annotationCompanions lists, separated by commas, further images that the chart runs next to the store's own; each has a value of its name.
	annotationCompanions = "ringside.dev/companions"
	// annotationMaintenance lists, separated by commas, the tasks that the store's nodes carry out on request: repair, compact.
	annotationMaintenance = "ringside.dev/maintenance"
	// annotationUpgradeTo is the path of the value that names the server type which a node is after the task upgrade.
	annotationUpgradeTo = "ringside.dev/upgrade-to"
	// annotationClasses maps server types to the class that the proof of a store must name.
	annotationClasses = "ringside.dev/server-classes"
)

// Chart is a store's chart.
type Chart struct {
	chart       *chartv2.Chart
	serverTypes []string
	most        int
	instances   bool
	classes     map[string]string
	threads     map[string]string
	units       *v1beta1.Units
	queue       string
	where       string
	digest      string
}

func newChart(loaded *chartv2.Chart) (*Chart, error) {
	types, most, err := serverTypes(loaded.Schema)
	if err != nil {
		return nil, fmt.Errorf("read values.schema.json of chart %s: %w", loaded.Name(), err)
	}
	instances, err := schemaNode(loaded.Schema, "properties", "server", "properties", "instances")
	if err != nil {
		return nil, fmt.Errorf("read values.schema.json of chart %s: %w", loaded.Name(), err)
	}
	chart := &Chart{chart: loaded, serverTypes: types, most: most, instances: instances != nil}
	if len(types) == 0 {
		return nil, fmt.Errorf("store chart %s cannot be used: its values.schema.json has no enum of server.types", loaded.Name())
	}
	for _, annotation := range []string{annotationSingleConnection, annotationExclusive} {
		for _, name := range chart.listed(annotation) {
			if !slices.Contains(types, name) {
				return nil, fmt.Errorf("store chart %s cannot be used: its annotation %s names a server %q, but its values.schema.json does not", loaded.Name(), annotation, name)
			}
		}
	}
	if chart.units, err = unitsOf(loaded.Metadata.Annotations); err != nil {
		return nil, fmt.Errorf("store chart %s cannot be used: %w", loaded.Name(), err)
	}
	if chart.queue, err = queueOf(loaded.Metadata.Annotations); err != nil {
		return nil, fmt.Errorf("store chart %s cannot be used: %w", loaded.Name(), err)
	}
	for annotation, into := range map[string]*map[string]string{annotationClasses: &chart.classes, annotationThreads: &chart.threads} {
		if err := yaml.Unmarshal([]byte(loaded.Metadata.Annotations[annotation]), into); err != nil {
			return nil, fmt.Errorf("read annotation %s of chart %s: %w", annotation, loaded.Name(), err)
		}
	}
	return chart, nil
}

// Helm returns the Helm chart, to be rendered or installed.
func (c *Chart) Helm() *chartv2.Chart { return c.chart }

// Where returns the folder that the chart was read from, its reference in a registry, or "built in".
func (c *Chart) Where() string { return c.where }

// Digest returns the digest of a chart in a registry; empty for another chart.
func (c *Chart) Digest() string { return c.digest }

// ValuesFile names the file with the chart's values, for messages.
func (c *Chart) ValuesFile() string {
	if c.digest != "" {
		return "helm show values " + c.where
	}
	return "charts/" + c.Name() + "/values.yaml"
}

// Name returns the name of the chart.
func (c *Chart) Name() string { return c.chart.Name() }

// AppVersion returns the version of the store that the chart installs; empty if the chart does not specify it.
func (c *Chart) AppVersion() string { return c.chart.Metadata.AppVersion }

// ServerTypes returns the server types that the store can host.
func (c *Chart) ServerTypes() []string { return c.serverTypes }

// MostServers returns how many server types a store can host at most.
func (c *Chart) MostServers() int { return c.most }

// ServersTogether returns server types that a store can host: all, or those of the chart's own values if it cannot host as many.
func (c *Chart) ServersTogether() []string {
	if len(c.serverTypes) <= c.most {
		return c.serverTypes
	}
	own, _ := valueAt([]string{"server", "types"}, c.chart.Values).([]any)
	var types []string
	for _, name := range own {
		types = append(types, fmt.Sprint(name))
	}
	return types
}

// HostsInstances reports whether the store can host several servers of one type at once, each under its own name.
func (c *Chart) HostsInstances() bool { return c.instances }

// InstanceType returns the type of an instance by its name, which is a type, a dash and a suffix: the longest such type; empty if there is none.
func (c *Chart) InstanceType(name string) string {
	longest := ""
	for _, serverType := range c.serverTypes {
		if strings.HasPrefix(name, serverType+"-") && len(serverType) > len(longest) {
			longest = serverType
		}
	}
	return longest
}

// SingleConnection reports whether a server type serves one connection at a time, so that a second client would never get an answer.
func (c *Chart) SingleConnection(serverType string) bool {
	return slices.Contains(c.listed(annotationSingleConnection), serverType)
}

// ConnectionThreads returns the path of the value with the number of threads that a node has for the connections of a server type, which holds one
// for each; empty if it does not.
func (c *Chart) ConnectionThreads(serverType string) string { return c.threads[serverType] }

// Exclusive reports whether a server type keeps cores busy at rest, which would slow other servers in the same store.
func (c *Chart) Exclusive(serverType string) bool {
	return slices.Contains(c.listed(annotationExclusive), serverType)
}

// Maintenance returns the tasks of maintenance that the store's nodes can carry out.
func (c *Chart) Maintenance() []string { return c.listed(annotationMaintenance) }

// UpgradeValue returns the path of the value that names what the task upgrade makes of a node; empty if the chart has none.
func (c *Chart) UpgradeValue() string { return c.chart.Metadata.Annotations[annotationUpgradeTo] }

// UpgradeTo returns the server type that a node is after the task upgrade, with these values; empty if it cannot be upgraded.
func (c *Chart) UpgradeTo(values map[string]any) string {
	name, _ := valueAt(strings.Split(c.UpgradeValue(), "."), overlay(c.chart.Values, values)).(string)
	return name
}

// listed returns the comma-separated items of an annotation.
func (c *Chart) listed(annotation string) []string {
	split := func(r rune) bool { return r == ',' || unicode.IsSpace(r) }
	return strings.FieldsFunc(c.chart.Metadata.Annotations[annotation], split)
}

// ExpectedClass returns the class of a server type; empty if the chart does not specify it.
func (c *Chart) ExpectedClass(serverType string) string { return c.classes[serverType] }

// serverTypes reads the enum of server.types from a values schema, and how many of them a store can host; empty if the chart is not a store.
func serverTypes(schema []byte) (types []string, most int, err error) {
	list, err := schemaNode(schema, "properties", "server", "properties", "types")
	if list == nil || err != nil {
		return nil, 0, err
	}
	most = math.MaxInt
	if items, limited := list["maxItems"].(float64); limited {
		most = int(items)
	}
	node, err := schemaNode(schema, "properties", "server", "properties", "types", "items")
	if err != nil {
		return nil, 0, err
	}
	values, _ := node["enum"].([]any)
	types = make([]string, 0, len(values))
	for _, value := range values {
		if text, ok := value.(string); ok {
			types = append(types, text)
		}
	}
	return types, most, nil
}

// schemaNode returns the node at a path of a schema, following references; nil if there is none.
func schemaNode(schema []byte, path ...string) (map[string]any, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	node := root
	for _, key := range path {
		child, ok := node[key].(map[string]any)
		if !ok {
			return nil, nil
		}
		node = resolve(root, child)
	}
	return node, nil
}

// resolve follows a reference within the same document.
func resolve(root, node map[string]any) map[string]any {
	reference, ok := node["$ref"].(string)
	if !ok || !strings.HasPrefix(reference, "#/") {
		return node
	}
	target := root
	for key := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		child, ok := target[key].(map[string]any)
		if !ok {
			return node
		}
		target = child
	}
	return target
}
