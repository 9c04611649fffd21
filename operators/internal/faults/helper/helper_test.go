package helper

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// pod returns a store's pod with one helper in the given state.
func pod(state corev1.ContainerState) corev1.Pod {
	p := corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "store"}, {Name: "sidecar"}}}}
	order := Order{Kind: v1beta1.FaultPause, At: moment, For: 10 * time.Second}
	p.Spec.EphemeralContainers = []corev1.EphemeralContainer{
		{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debugger", Command: []string{"sh"}}},
		Container("fault-1", order, &p, "operator:1", corev1.PullNever),
	}
	p.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{{Name: "debugger"}, {Name: "fault-1", State: state}}
	return p
}

func ended(code int32, message string) corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Error", Message: message}}
}

func TestAHelperHasOneCapabilityAndNothingOfTheNode(t *testing.T) {
	for _, kind := range v1beta1.FaultKinds() {
		if !kind.Timed() {
			continue
		}
		capability := corev1.Capability("NET_ADMIN")
		var volumes []corev1.VolumeMount // no token, and no file of the store
		switch kind {
		case v1beta1.FaultPause:
			capability = "SYS_PTRACE"
		case v1beta1.FaultBusy, v1beta1.FaultFill:
			capability, volumes = "DAC_OVERRIDE", []corev1.VolumeMount{{Name: "data", MountPath: Volume}}
		}
		store := pod(corev1.ContainerState{})
		store.Spec.Volumes = []corev1.Volume{{Name: "scratch"}, {Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{}}}}
		store.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "scratch", MountPath: "/tmp"}, {Name: "data", MountPath: "/data"}}
		container := Container("fault-1", Order{Kind: kind, At: moment, For: time.Second}, &store, "operator:1", corev1.PullNever)
		target := "store"
		if kind == v1beta1.FaultMaintain {
			target = "" // a helper with the processes of a container ends with them
		}
		assert.Equal(t, target, container.TargetContainerName)
		assert.Equal(t, "operator:1", container.Image)
		if added := container.SecurityContext.Capabilities.Add; kind == v1beta1.FaultMaintain {
			assert.Empty(t, added, "the store does it")
			assert.True(t, *container.SecurityContext.RunAsNonRoot)
			assert.Nil(t, container.SecurityContext.RunAsUser, "that of the pod, or of the image")
		} else {
			assert.Equal(t, []corev1.Capability{capability}, added)
		}
		assert.Equal(t, []corev1.Capability{"ALL"}, container.SecurityContext.Capabilities.Drop)
		assert.Nil(t, container.SecurityContext.Privileged)
		assert.False(t, *container.SecurityContext.AllowPrivilegeEscalation)
		assert.True(t, *container.SecurityContext.ReadOnlyRootFilesystem)
		assert.Equal(t, volumes, container.VolumeMounts, kind)
	}
}

func TestAHelperIsKnownByItsName(t *testing.T) {
	p := pod(corev1.ContainerState{})
	assert.True(t, Asked(&p, "fault-1"))
	assert.False(t, Asked(&p, "fault-2"))
}

func TestAHelperReportsWhenItHasEnded(t *testing.T) {
	report := Report{BeganAt: moment, UndoneAt: moment.Add(10 * time.Second)}
	for name, test := range map[string]struct {
		state corev1.ContainerState
		want  *Report
	}{
		"it is awaited":        {corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}}, nil},
		"it is at it":          {corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, nil},
		"it is done":           {ended(0, report.String()), &report},
		"it had not the right": {ended(1, `{"error":"no right"}`), &Report{Error: "no right"}},
		"it was killed":        {ended(137, ""), &Report{Error: "its helper ended with exit code 137 (Error) and without a report"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := pod(test.state)
			assert.Equal(t, test.want, Ended(&p, "fault-1"))
		})
	}
}

func TestAPodIsBusyUntilItsHelperHasEnded(t *testing.T) {
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	for name, test := range map[string]struct {
		state corev1.ContainerState
		at    time.Time
		want  time.Duration
	}{
		"before its moment":      {running, moment.Add(-20 * time.Second), 35 * time.Second},
		"at it":                  {running, moment.Add(5 * time.Second), 10 * time.Second},
		"its time is over":       {corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}, moment.Add(time.Minute), 0},
		"it ended before it hit": {ended(1, `{"error":"no right"}`), moment.Add(-20 * time.Second), 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, Busy([]corev1.Pod{{}, pod(test.state)}, test.at))
		})
	}
}

var moment = time.Date(2026, 11, 24, 2, 40, 0, 250_000_000, time.UTC)

func TestAnOrderIsReadAsItWasWritten(t *testing.T) {
	for _, o := range []Order{
		{Kind: v1beta1.FaultPause}, {Kind: v1beta1.FaultCut}, {Kind: v1beta1.FaultLose, Percent: 5}, {Kind: v1beta1.FaultSlow, Delay: 1500 * time.Microsecond}, {Kind: v1beta1.FaultBusy},
		{Kind: v1beta1.FaultFill}, {Kind: v1beta1.FaultFill, Leave: 16 << 20}, {Kind: v1beta1.FaultMaintain, Task: "repair", Port: 9407},
	} {
		o.At, o.For = moment, 10500*time.Millisecond
		read, err := ParseArgs(o.Args())
		require.NoError(t, err)
		assert.Equal(t, o, read)
		assert.Equal(t, moment.Add(15500*time.Millisecond), read.Until())
	}
}

func TestAnOrderThatMakesNoSenseIsRefused(t *testing.T) {
	for says, args := range map[string][]string{
		"usage: ":                              nil,
		"a pause is told too little":           {"pause"},
		`a helper does no "kill"`:              {"kill", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		`a helper does no "blow"`:              {"blow", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"--at=soon is no moment":               {"pause", "--at=soon", "--for=1s"},
		"--for=0s is no time":                  {"cut", "--at=2026-11-24T02:40:00Z", "--for=0s"},
		"--percent=100 is no share of 1 to 99": {"lose", "--at=2026-11-24T02:40:00Z", "--for=1s", "--percent=100"},
		"--delay=-1s is no time":               {"slow", "--at=2026-11-24T02:40:00Z", "--for=1s", "--delay=-1s"},
		"--leave=16Mi is no number of bytes":   {"fill", "--at=2026-11-24T02:40:00Z", "--for=1s", "--leave=16Mi"},
		"a busy is told too little, or too":    {"busy", "--at=2026-11-24T02:40:00Z", "--for=1s", "--leave=1"},
		"--loud is no flag":                    {"slow", "--loud"},
		"--task=no such is no name of a task":  {"maintain", "--task=no such"},
		"--port=65536 is no port":              {"maintain", "--port=65536"},
		"a maintain is told too little":        {"maintain", "--at=2026-11-24T02:40:00Z", "--for=1s", "--task=repair"},
		"a pause is told too little, or too":   {"pause", "--at=2026-11-24T02:40:00Z", "--for=1s", "--task=repair", "--port=9407"},
		"a lose is told too little":            {"lose", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"a slow is told too little":            {"slow", "--at=2026-11-24T02:40:00Z", "--for=1s"},
		"a cut is told too little, or too":     {"cut", "--at=2026-11-24T02:40:00Z", "--for=1s", "--percent=5"},
	} {
		_, err := ParseArgs(args)
		require.ErrorContains(t, err, says)
		assert.ErrorContains(t, err, Usage)
	}
}

func TestAReportIsReadAsItWasWritten(t *testing.T) {
	for _, report := range []Report{{BeganAt: moment, UndoneAt: moment.Add(time.Second)}, {Error: "no right"}} {
		read, err := ParseReport(report.String())
		require.NoError(t, err)
		assert.Equal(t, report, read)
	}
	_, err := ParseReport("Killed")
	assert.ErrorContains(t, err, "read the report of a fault's helper")
}
