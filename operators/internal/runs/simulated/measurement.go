package simulated

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/plan"
)

// Seconds is the simulated duration of a measurement; one with a number of operations takes about as long.
const Seconds = 12

// Finish fills in the status of a finished measurement, with result, proof, environment and validity. It returns the measurement's log.
func Finish(m *v1beta1.Measurement, start time.Time) (*measure.Log, error) {
	seed := seedOf(m.Name)
	noise := 1 + 0.03*rand.New(rand.NewPCG(seed, 1)).NormFloat64()
	rate := speed(m.Spec.ServerType) * noise
	perInterval, intervals, rest := int(80*rate), Seconds, 0
	if asked := int(m.Spec.TargetRate); asked > 0 {
		perInterval = min(asked, perInterval)
	}
	if m.Spec.Operations > 0 {
		perInterval = max(int(float64(m.Spec.Operations)/Seconds*rate), 1)
		intervals, rest = int(m.Spec.Operations)/perInterval, int(m.Spec.Operations)%perInterval
	}
	var answered func(int) float64
	if len(m.Spec.Faults) > 0 {
		intervals, rest = int(lasts(m).Seconds()), 0
		hitNodes(m, start)
		answered = cost(m, rate)
	}
	log, err := Load{
		Operation: m.Spec.Operation, Start: start, Intervals: intervals, PerInterval: perInterval, Rest: rest,
		MedianMillis: 8 / rate, Sigma: 0.6, Constant: m.Spec.TargetRate > 0, Answered: answered,
	}.Log(seed)
	if err != nil {
		return nil, err
	}
	result, err := measure.Summarize([]measure.PodLog{{Log: log}})
	if err != nil {
		return nil, fmt.Errorf("summarizing %s: %w", m.Name, err)
	}
	if len(m.Spec.Faults) > 0 {
		pieces, err := measure.Pieces([]measure.PodLog{{Log: log}})
		if err != nil {
			return nil, fmt.Errorf("cutting %s: %w", m.Name, err)
		}
		result.Faults = faults.Effects(m, pieces)
	}
	if m.Spec.Capacity != nil {
		result.Capacity = searched(m.Spec.Capacity.From, rate)
	}
	m.Status.Attempt = max(m.Status.Attempt, 1)
	m.Status.Result = &result
	if m.Spec.Profile != nil {
		tellProfile(m)
	}
	m.Status.Proof = &v1beta1.Proof{
		Server: m.Spec.HostedAs(), Class: "simulated." + m.Spec.ServerType, PluginSHA256: digest("plugin"), ImageDigest: "sha256:" + digest("image"),
	}
	m.Status.Environment = environment()
	m.Status.Valid = true
	now := metav1.NewTime(start.Add(lasts(m)))
	for _, condition := range []string{v1beta1.ConditionStarted, v1beta1.ConditionFinished, v1beta1.ConditionValid} {
		meta.SetStatusCondition(&m.Status.Conditions, metav1.Condition{
			Type: condition, Status: metav1.ConditionTrue, Reason: condition, LastTransitionTime: now,
		})
	}
	return log, nil
}

// searched returns the result of a capacity search for a server with a speed relative to hsha.
func searched(from int64, speed float64) *v1beta1.Capacity {
	capacity := int64(3 * float64(from) * speed)
	found := &v1beta1.Capacity{Rate: capacity, Settled: true}
	for _, rate := range []int64{from, 2 * from, 4 * from, capacity * 95 / 100, capacity * 105 / 100} {
		found.Steps = append(found.Steps, v1beta1.CapacityStep{Rate: rate, Operations: rate, PercentileMillis: "12.500", Kept: rate <= capacity})
	}
	return found
}

// Invalidate marks a finished measurement as invalid.
func Invalidate(m *v1beta1.Measurement, reason string) {
	m.Status.Valid = false
	m.Status.InvalidReasons, m.Status.Reasons = append(m.Status.InvalidReasons, reason), []v1beta1.Reason{v1beta1.GateStoreRestarted}
	meta.SetStatusCondition(&m.Status.Conditions, metav1.Condition{Type: v1beta1.ConditionValid, Status: metav1.ConditionFalse, Reason: string(v1beta1.GateStoreRestarted), Message: reason})
}

// Measurement returns the object that the operator would create for a cell of the plan.
func Measurement(e *v1beta1.Experiment, cell plan.Cell) *v1beta1.Measurement {
	return &v1beta1.Measurement{
		ObjectMeta: metav1.ObjectMeta{
			Name: cell.Name, Namespace: e.Namespace,
			Labels: map[string]string{v1beta1.LabelExperiment: e.DocumentName(), v1beta1.LabelRun: e.RunID(), v1beta1.LabelServer: cell.Spec.Server},
			OwnerReferences: []metav1.OwnerReference{
				{APIVersion: v1beta1.GroupVersion.String(), Kind: "Experiment", Name: e.Name, UID: e.UID},
			},
		},
		Spec: cell.Spec,
	}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func environment() *v1beta1.Environment {
	node := func(name string) v1beta1.NodeInfo {
		return v1beta1.NodeInfo{
			Name: name, Kernel: "6.1.0", OSImage: "Debian GNU/Linux 12", Architecture: "amd64", CPUs: "2", Memory: "5286Mi",
			KubeletVersion: "v1.34.4", ContainerRuntime: "containerd://1.6.20", Disk: "ssd",
		}
	}
	return &v1beta1.Environment{
		StoreNodes: []v1beta1.NodeInfo{node("node1"), node("node2"), node("node3"), node("node4")},
		LoadNodes:  []v1beta1.NodeInfo{node("node1")},
		Store:      map[string]string{"jvm": "1.8.0_462", "heap_max_bytes": "1258291200"},
	}
}
