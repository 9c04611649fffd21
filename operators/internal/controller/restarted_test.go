package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Each measurement records the store's pods at its start.
func TestAMeasurementOnAStoreThatRestartedBeforeItSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		ready time.Duration
		edit  func(*observed)
		says  string
	}{
		"it came back later":          {time.Minute, func(*observed) {}, "store pod s-0 restarted or became unready after the store was ready, until 12:01:00: its caches may be cold and its code not compiled"},
		"it was there before":         {-time.Second, func(*observed) {}, ""},
		"a clock is a bit ahead":      {5 * time.Second, func(*observed) {}, ""},
		"a phase ended it on purpose": {time.Minute, func(o *observed) { o.plan.Stores[0].Cells[0].Spec.Faults = []v1beta1.FaultSpec{{}} }, ""},
		"a phase that is yet to come": {time.Minute, func(o *observed) { o.plan.Stores[0].Cells[1].Spec.Faults = []v1beta1.FaultSpec{{}} }, "store pod s-0 restarted or became unready after the store was ready, until 12:01:00: its caches may be cold and its code not compiled"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene().store(true).finished(writeCell).measurement(readCell, 1, true).with(c.edit)
			m := s.o.measurements[readCell]
			m.Status.StorePods = []v1beta1.StorePod{{Name: "s-0", ReadySince: &metav1.Time{Time: noon.Add(c.ready)}}}
			assert.Equal(t, c.says, restartedBefore(s.o, s.o.plan.Stores[0], m))
		})
	}
}

// The reduced measurement in the cache is sufficient to know that it has ended.
func TestALossOfDataIsSeenByWhatTheCacheHolds(t *testing.T) {
	s := newScene().store(true).finished(writeCell).with(survives("false")).with(anotherLife)
	s.o.measurements[writeCell] = newCutter().measurement(s.o.measurements[writeCell])
	assert.Equal(t, s.o.objects.Pods[0].Name, dataLost(s.o, s.o.plan.Stores[0]))
}

func TestMaintainedBefore_onTheSameStoreAndNode(t *testing.T) {
	task := func(task string, node int32) []v1beta1.FaultSpec {
		return []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: task, Node: node}}
	}
	for name, test := range map[string]struct {
		earlier, now []v1beta1.FaultSpec
		want         string
	}{
		"the same":     {task("compact", 1), task("compact", 1), "compact of node 1"},
		"another task": {task("repair", 1), task("compact", 1), ""},
		"another node": {task("compact", 2), task("compact", 1), ""},
		"no task":      {[]v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: 1}}, []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: 1}}, ""},
	} {
		s := newScene().store(true).finished(writeCell)
		s.o.plan.Stores[0].Cells[0].Spec.Faults = test.earlier
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: readCell}, Spec: v1beta1.MeasurementSpec{Faults: test.now}}
		assert.Equal(t, test.want, maintainedBefore(s.o, s.o.plan.Stores[0], m), name)
	}
}

func TestCarriedOut_leavesNoFurtherAttempt(t *testing.T) {
	m := &v1beta1.Measurement{Spec: v1beta1.MeasurementSpec{Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultMaintain, Task: "compact", Node: 1}, {Kind: v1beta1.FaultPause}}}}
	assert.Empty(t, carriedOut(m))
	m.Status.Faults = []v1beta1.FaultStatus{{Index: 1}}
	assert.Empty(t, carriedOut(m), "a pause is the same the second time")
	m.Status.Faults = []v1beta1.FaultStatus{{Index: 1}, {Index: 0, Failure: "no right"}}
	assert.Empty(t, carriedOut(m), "it was not carried out")
	m.Status.Faults[1].Failure = ""
	assert.Contains(t, carriedOut(m), "node 1 was ordered to carry out compact")
}
