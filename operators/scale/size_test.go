package scale

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// repeats is the number of repeats of the phase on each store. The simulation observes that many measurements, on the
// run's last store.
const repeats = 20

// Size is the size of a cluster and its load.
type Size struct {
	// Nodes are those of the cluster, Store those of a store, Pods those of a load.
	Nodes, Store, Pods int
	// Rounds is the number of rounds with two servers, each with its own store and twenty measurements on it.
	Rounds int
	// History is the number of measurements of earlier runs in the namespace.
	History int
}

// Sizes returns the sizes of the table, from that of one machine to that of a large cluster.
func Sizes() []Size {
	return []Size{
		{Nodes: 10, Store: 4, Pods: 1, Rounds: 1, History: 10},
		{Nodes: 100, Store: 32, Pods: 8, Rounds: 5, History: 1000},
		{Nodes: 1000, Store: 100, Pods: 64, Rounds: 50, History: 10_000},
	}
}

// Measurements returns the number of measurements of the run.
func (s Size) Measurements() int { return len(servers) * s.Rounds * repeats }

func (s Size) namespace() string { return fmt.Sprintf("scale-%d-%d", s.Nodes, s.Measurements()) }

var servers = []string{"disruptor", "hsha"}

// experiment returns an experiment of that size: a dedicated store for each server in each round.
func (s Size) experiment() (*v1alpha1.Experiment, error) {
	values, err := yaml.YAMLToJSON(fmt.Appendf(nil, "nodes: %d", s.Store))
	if err != nil {
		return nil, fmt.Errorf("write the store's values: %w", err)
	}
	operations, seed := int64(1000*s.Pods), int64(7)
	e := &v1alpha1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace(), Name: "scale", Labels: map[string]string{v1alpha1.LabelExperiment: "scale", v1alpha1.LabelRun: "20261121-001500"}},
		Spec: v1alpha1.ExperimentSpec{
			Description: "Simulated",
			Store: v1alpha1.StoreSpec{Chart: "stub", Hosting: v1alpha1.HostingDedicated, Values: &apiextensionsv1.JSON{Raw: values},
				ReadyTimeout: metav1.Duration{Duration: 10 * time.Minute}},
			Load:       v1alpha1.LoadSpec{Image: "ycsb", Pods: int32(s.Pods), Timeout: metav1.Duration{Duration: time.Hour}},
			Phases:     []v1alpha1.PhaseSpec{{Name: "read", Repeats: repeats, Threads: int32(s.Pods)}},
			Operations: &operations, Rounds: int32(s.Rounds), MaxAttempts: 3, Seed: &seed,
		},
	}
	for _, name := range servers {
		e.Spec.Servers = append(e.Spec.Servers, v1alpha1.ServerSpec{Name: name})
	}
	return e, nil
}
