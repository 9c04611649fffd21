package faults

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
)

var began = time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

func micro(seconds float64) *metav1.MicroTime { return &metav1.MicroTime{Time: at(seconds)} }

func ready(seconds float64) *metav1.Time { return &metav1.Time{Time: at(seconds)} }

// phase returns a load that began on three nodes, with a kill of node 1 at 30 s and of node 2 at 60 s, and the known faults.
func phase(known ...v1beta1.FaultStatus) *v1beta1.Measurement {
	m := &v1beta1.Measurement{}
	for i, seconds := range []time.Duration{30, 60} {
		m.Spec.Faults = append(m.Spec.Faults, v1beta1.FaultSpec{Kind: v1beta1.FaultKill, Node: int32(i + 1), At: metav1.Duration{Duration: seconds * time.Second}})
	}
	m.Status.StartAt = micro(0)
	m.Status.StorePods = []v1beta1.StorePod{{Name: "s-0", UID: "a", ReadySince: ready(-60)}, {Name: "s-1", UID: "b", ReadySince: ready(-60)}, {Name: "s-2", UID: "c", ReadySince: ready(-60)}}
	m.Status.Faults = known
	return m
}

// pod returns a pod that is ready since a time; not ready if it is 0, terminating if it is before the load's start.
func pod(name, uid string, since float64) corev1.Pod {
	p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(uid)}}
	status := corev1.ConditionTrue
	if since == 0 {
		status = corev1.ConditionFalse
	}
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.Time{Time: at(since)}}}
	if since < 0 {
		p.DeletionTimestamp = ready(since)
	}
	return p
}

func asked(index int32, pod, uid string, seconds float64) v1beta1.FaultStatus {
	return v1beta1.FaultStatus{Index: index, Pod: pod, UID: uid, AskedAt: *micro(seconds)}
}

func back(f v1beta1.FaultStatus, gone, since float64, successor string) v1beta1.FaultStatus {
	f.GoneAt, f.ReadyAt, f.Successor = micro(gone), micro(since), successor
	return f
}

func TestAFaultIsAskedForOnceAtItsTime(t *testing.T) {
	all := []corev1.Pod{pod("s-0", "a", 1), pod("s-1", "b", 1), pod("s-2", "c", 1)}
	for name, test := range map[string]struct {
		known []v1beta1.FaultStatus
		pods  []corev1.Pod
		now   float64
		ask   *v1beta1.FaultStatus
		after float64
	}{
		"long before":       {nil, all, 0, nil, 30},
		"right before":      {nil, all, 29.9, nil, 0.1},
		"on the dot":        {nil, all, 30, &v1beta1.FaultStatus{Index: 0, Pod: "s-1", UID: "b", AskedAt: *micro(30)}, 0},
		"both, late":        {nil, all, 70, &v1beta1.FaultStatus{Index: 0, Pod: "s-1", UID: "b", AskedAt: *micro(70)}, 0},
		"it is being ended": {[]v1beta1.FaultStatus{asked(0, "s-1", "b", 30)}, []corev1.Pod{pod("s-1", "b", -1)}, 30.5, nil, 29.5},
		"an operator died before it asked": {[]v1beta1.FaultStatus{asked(0, "s-1", "b", 30)}, all, 33,
			&v1beta1.FaultStatus{Index: 0, Pod: "s-1", UID: "b", AskedAt: *micro(33)}, 0},
		"its successor is another":        {[]v1beta1.FaultStatus{asked(0, "s-1", "b", 30)}, []corev1.Pod{pod("s-1", "d", 1)}, 35, nil, 25},
		"the second":                      {[]v1beta1.FaultStatus{back(asked(0, "s-1", "b", 30), 31, 50, "d")}, all, 60, &v1beta1.FaultStatus{Index: 1, Pod: "s-2", UID: "c", AskedAt: *micro(60)}, 0},
		"one that died of something else": {nil, []corev1.Pod{pod("s-1", "d", 1)}, 31, nil, 29},
		"all were asked for":              {[]v1beta1.FaultStatus{back(asked(0, "s-1", "b", 30), 31, 50, "d"), back(asked(1, "s-2", "c", 60), 61, 80, "e")}, all, 90, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			ask, after := Next(phase(test.known...), test.pods, at(test.now))
			assert.Equal(t, test.ask, ask)
			assert.Equal(t, at(test.after), began.Add(after))
		})
	}
	twoSets := phase()
	twoSets.Status.StorePods = append(twoSets.Status.StorePods, v1beta1.StorePod{Name: "proxy-1", UID: "x", ReadySince: ready(-60)})
	got, _ := Next(twoSets, append(all, pod("proxy-1", "x", 1)), at(30))
	assert.Nil(t, got, "two pods are number 1: neither is hit by chance")

	waiting := phase()
	waiting.Status.StartAt = nil
	ask, after := Next(waiting, all, at(100))
	assert.Nil(t, ask, "the load has not begun")
	assert.Zero(t, after)
}

func TestItIsSeenWhenANodeIsGoneAndWhenItIsBack(t *testing.T) {
	was := asked(0, "s-1", "b", 30)
	gone := was
	gone.GoneAt = micro(40)
	for name, test := range map[string]struct {
		pods []corev1.Pod
		seen v1beta1.FaultStatus
	}{
		"it still ends":         {[]corev1.Pod{pod("s-1", "b", -1)}, was},
		"it is gone":            {[]corev1.Pod{pod("s-0", "a", 1)}, gone},
		"another has come":      {[]corev1.Pod{pod("s-1", "d", 0)}, gone},
		"which is ready":        {[]corev1.Pod{pod("s-1", "d", 38)}, back(was, 40, 38, "d")},
		"which is ending again": {[]corev1.Pod{pod("s-1", "d", -1)}, gone},
	} {
		t.Run(name, func(t *testing.T) {
			known := []v1beta1.FaultStatus{was}
			m := phase(known...)
			seen, more := Seen(m, test.pods, at(40))
			assert.Equal(t, []v1beta1.FaultStatus{test.seen}, seen)
			assert.Equal(t, test.seen != was, more)
			assert.Equal(t, was, known[0], "what was observed is left as it is")
			m.Status.Faults = seen
			again, more := Seen(m, test.pods, at(50))
			assert.Equal(t, seen, again, "what was seen is not seen again")
			assert.False(t, more)
			assert.Equal(t, test.seen.ReadyAt == nil, Pending(seen))
		})
	}
}

// paused returns a load that began, with a pause of node 1 at 30 s for 10 s, and the known fault.
func paused(known ...v1beta1.FaultStatus) *v1beta1.Measurement {
	m := phase(known...)
	m.Name, m.Status.Attempt = "read", 2
	m.Spec.Faults = []v1beta1.FaultSpec{{Kind: v1beta1.FaultPause, Node: 1, At: metav1.Duration{Duration: 30 * time.Second}, For: &metav1.Duration{Duration: 10 * time.Second}}}
	return m
}

// helped returns a pod that is ready since a time and has the helper of that pause, with a termination message if it has ended.
func helped(since float64, words string) corev1.Pod {
	p, m := pod("s-1", "b", since), paused()
	container := helper.Container(HelperOf(m, asked(0, "s-1", "b", 1)), OrderOf(m, 0, &p), &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{}}}}, "", "")
	p.Spec.EphemeralContainers = []corev1.EphemeralContainer{container}
	status := corev1.ContainerStatus{Name: container.Name}
	if words != "" {
		status.State.Terminated = &corev1.ContainerStateTerminated{Message: words}
	}
	p.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{status}
	return p
}

func TestAHelperIsToldAllThatTheDocumentSays(t *testing.T) {
	const lasts, delay = 10 * time.Second, 50 * time.Millisecond
	for says, ordered := range map[string]v1beta1.FaultSpec{
		"pause":        {Kind: v1beta1.FaultPause},
		"lose 5%":      {Kind: v1beta1.FaultLose, Share: "5%"},
		"slow by 50ms": {Kind: v1beta1.FaultSlow, Delay: &metav1.Duration{Duration: delay}},

		"maintain: repair": {Kind: v1beta1.FaultMaintain, Task: "repair"},
	} {
		m := paused()
		ordered.Node, ordered.At, ordered.For = 1, metav1.Duration{Duration: 30 * time.Second}, &metav1.Duration{Duration: lasts}
		m.Spec.Faults[0] = ordered
		order := OrderOf(m, 0, &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "maintenance", ContainerPort: 9407}}}}}})
		port := int32(0)
		if ordered.Kind == v1beta1.FaultMaintain {
			port = 9407
		}
		read, err := helper.ParseArgs(order.Args())
		require.NoError(t, err)
		assert.Equal(t, order, read)
		assert.Equal(t, helper.Order{Kind: ordered.Kind, At: at(30), For: lasts, Percent: ordered.Percent(), Delay: ordered.Delays(), Task: ordered.Task, Port: port}, order)
		assert.Equal(t, "fault 0 ("+says+" of node 1 at 30s for 10s) was not asked for while the load ran", Unordered(m, nil))
	}
}

func undone(f v1beta1.FaultStatus, began, until float64) v1beta1.FaultStatus {
	f.BeganAt, f.UndoneAt = micro(began), micro(until)
	return f
}

func readyAgain(f v1beta1.FaultStatus, since float64) v1beta1.FaultStatus {
	f.ReadyAt, f.Successor = micro(since), f.UID
	return f
}

func TestAPauseIsAskedForBeforeItsMomentAndOnce(t *testing.T) {
	was := asked(0, "s-1", "b", 1)
	for name, test := range map[string]struct {
		known []v1beta1.FaultStatus
		pod   corev1.Pod
		ask   *v1beta1.FaultStatus
	}{
		"at once":                          {nil, pod("s-1", "b", 1), &v1beta1.FaultStatus{Index: 0, Pod: "s-1", UID: "b", AskedAt: *micro(3)}},
		"its helper is there":              {[]v1beta1.FaultStatus{was}, helped(1, ""), nil},
		"an operator died before it asked": {[]v1beta1.FaultStatus{was}, pod("s-1", "b", 1), &v1beta1.FaultStatus{Index: 0, Pod: "s-1", UID: "b", AskedAt: *micro(3)}},
		"its successor is another":         {[]v1beta1.FaultStatus{was}, pod("s-1", "d", 1), nil},
		"it is over":                       {[]v1beta1.FaultStatus{undone(was, 30, 40)}, pod("s-1", "b", 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			ask, after := Next(paused(test.known...), []corev1.Pod{test.pod}, at(3))
			assert.Equal(t, test.ask, ask)
			assert.Zero(t, after)
		})
	}
}

func TestItIsSeenWhenANodeWasPausedAndThatItIsReadyAgain(t *testing.T) {
	was := asked(0, "s-1", "b", 1)
	done := helper.Report{BeganAt: at(30.25), UndoneAt: at(40.25), ClockOffsetMicros: number(7), ClockErrorMicros: number(9)}.String()
	over := undone(was, 30.25, 40.25)
	over.ClockOffsetMicros, over.ClockErrorMicros = number(7), number(9)
	but := func(f v1beta1.FaultStatus, failure string) v1beta1.FaultStatus {
		f.Failure = failure
		return f
	}
	for name, test := range map[string]struct {
		known, seen v1beta1.FaultStatus
		pod         corev1.Pod
	}{
		"it is at it":                   {was, was, helped(1, "")},
		"nobody found it silent":        {was, readyAgain(over, 40.25), helped(1, done)},
		"it is not ready yet":           {was, over, helped(0, done)},
		"it is ready":                   {over, readyAgain(over, 45), helped(45, done)},
		"it was found silent late":      {readyAgain(over, 40.25), readyAgain(over, 48), helped(48, done)},
		"it was not ready again, later": {readyAgain(over, 40.25), readyAgain(over, 40.25), helped(80, done)},
		"it had not the right":          {was, but(was, "no right"), helped(1, `{"error":"no right"}`)},
		"it was killed":                 {was, but(was, "store pod s-1 disappeared"), pod("s-1", "d", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			seen, more := Seen(paused(test.known), []corev1.Pod{test.pod}, at(90))
			assert.Equal(t, []v1beta1.FaultStatus{test.seen}, seen)
			assert.Equal(t, !assert.ObjectsAreEqual(test.seen, test.known), more)
		})
	}
}

func TestAPauseThatWasOrderedIsToldFromOtherTrouble(t *testing.T) {
	known := readyAgain(undone(asked(0, "s-1", "b", 1), 30.1, 40.1), 45)
	b := v1beta1.StorePod{Name: "s-1", UID: "b", ReadySince: ready(45)}
	others := []v1beta1.StorePod{{Name: "s-0", UID: "a", ReadySince: ready(-60)}, {Name: "s-2", UID: "c", ReadySince: ready(-60)}}
	but := func(p v1beta1.StorePod, change func(*v1beta1.StorePod)) v1beta1.StorePod {
		change(&p)
		return p
	}
	failed, late, waiting := known, known, known
	failed.UndoneAt, failed.Failure = nil, "no right"
	late.BeganAt = micro(36)
	waiting.UndoneAt = nil
	const named = "fault 0 (pause of node 1 at 30s for 10s) "
	for says, test := range map[string]struct {
		known v1beta1.FaultStatus
		pod   v1beta1.StorePod
	}{
		"":                                       {known, b},
		named + "did not come to pass: no right": {failed, b},
		named + "did not come to pass: its helper has not ended": {waiting, b},
		named + "came 6s late":                    {late, b},
		"store pod s-1 was replaced":              {known, but(b, func(p *v1beta1.StorePod) { p.UID = "d" })},
		"store pod s-1 restarted":                 {known, but(b, func(p *v1beta1.StorePod) { p.Restarts = 1 })},
		"store pod s-1 is not ready":              {known, but(b, func(p *v1beta1.StorePod) { p.ReadySince = nil })},
		"store pod s-1 was not ready for a while": {known, but(b, func(p *v1beta1.StorePod) { p.ReadySince = ready(85) })},
	} {
		t.Run(says, func(t *testing.T) {
			assert.Equal(t, says, Unordered(paused(test.known), append([]v1beta1.StorePod{test.pod}, others...)))
		})
	}
	assert.Equal(t, named+"was not asked for while the load ran", Unordered(paused(), append([]v1beta1.StorePod{b}, others...)))
}

func TestAnUpgradedNodeRestartedOnce(t *testing.T) {
	upgrade := paused(readyAgain(undone(asked(0, "s-1", "b", 1), 30.1, 40.1), 45))
	upgrade.Spec.Faults[0].Kind, upgrade.Spec.Faults[0].Task = v1beta1.FaultMaintain, v1beta1.TaskUpgrade
	upgrade.Status.StorePods[1].Restarts = 3
	others := []v1beta1.StorePod{{Name: "s-0", UID: "a", ReadySince: ready(-60)}, {Name: "s-2", UID: "c", ReadySince: ready(-60)}}
	for restarts, says := range map[int32]string{3: "store pod s-1 restarted 0 times instead of once", 4: "", 5: "store pod s-1 restarted 2 times instead of once"} {
		b := v1beta1.StorePod{Name: "s-1", UID: "b", Restarts: restarts, ReadySince: ready(45)}
		assert.Equal(t, says, Unordered(upgrade, append([]v1beta1.StorePod{b}, others...)))
	}
}

func TestDeathsThatWereOrderedAreToldFromOthers(t *testing.T) {
	first, second := back(asked(0, "s-1", "b", 30.1), 31, 50, "d"), back(asked(1, "s-2", "c", 60), 61, 80, "e")
	both := []v1beta1.FaultStatus{first, second}
	a := v1beta1.StorePod{Name: "s-0", UID: "a", ReadySince: ready(-60)}
	d, e := v1beta1.StorePod{Name: "s-1", UID: "d", ReadySince: ready(50)}, v1beta1.StorePod{Name: "s-2", UID: "e", ReadySince: ready(80)}
	but := func(p v1beta1.StorePod, change func(*v1beta1.StorePod)) v1beta1.StorePod {
		change(&p)
		return p
	}
	late, away := first, second
	late.AskedAt = *micro(42.5)
	away.ReadyAt, away.Successor = nil, ""
	for says, test := range map[string]struct {
		known []v1beta1.FaultStatus
		after []v1beta1.StorePod
	}{
		"": {both, []v1beta1.StorePod{a, d, e}},
		"fault 1 (kill of node 2 at 1m0s) was not asked for while the load ran": {both[:1], []v1beta1.StorePod{a, d, e}},
		"fault 0 (kill of node 1 at 30s) came 12.5s late":                       {[]v1beta1.FaultStatus{late, second}, []v1beta1.StorePod{a, d, e}},
		"store pod s-2 did not return":                                          {[]v1beta1.FaultStatus{first, away}, []v1beta1.StorePod{a, d}},
		"store pod s-1 disappeared":                                             {both, []v1beta1.StorePod{a, e}},
		"store pod s-1 was replaced":                                            {both, []v1beta1.StorePod{a, but(d, func(p *v1beta1.StorePod) { p.UID = "f" }), e}},
		"store pod s-1 restarted":                                               {both, []v1beta1.StorePod{a, but(d, func(p *v1beta1.StorePod) { p.Restarts = 1 }), e}},
		"store pod s-2 was not ready for a while":                               {both, []v1beta1.StorePod{a, d, but(e, func(p *v1beta1.StorePod) { p.ReadySince = ready(85) })}},
		"store pod s-0 restarted":                                               {both, []v1beta1.StorePod{but(a, func(p *v1beta1.StorePod) { p.Restarts = 1 }), d, e}},
		"store pod s-0 is not ready":                                            {both, []v1beta1.StorePod{but(a, func(p *v1beta1.StorePod) { p.ReadySince = nil }), d, e}},
	} {
		t.Run(says, func(t *testing.T) { assert.Equal(t, says, Unordered(phase(test.known...), test.after)) })
	}
}

func TestAFaultTakesThePlaceOfWhatWasKnownOfIt(t *testing.T) {
	one, two := asked(0, "s-1", "b", 30), asked(1, "s-2", "c", 60)
	known := []v1beta1.FaultStatus{one, two}
	later := asked(0, "s-1", "b", 33)
	assert.ElementsMatch(t, []v1beta1.FaultStatus{later, two}, Set(known, later))
	require.Equal(t, []v1beta1.FaultStatus{one, two}, known)
}
