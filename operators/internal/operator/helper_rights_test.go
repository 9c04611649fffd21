package operator

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
)

// Of all possible ephemeral containers, the operator may add only its helpers of faults, and only to pods of stores.
func TestTheOperatorsHelpersAreOfFaultsAndOfStoresAlone(t *testing.T) {
	config, admin := apiServer(t)
	scheme, err := Scheme()
	require.NoError(t, err)
	thief, err := client.New(as(config, runsNamespace, "ringside-operator", nil), client.Options{Scheme: scheme})
	require.NoError(t, err)
	image := operatorImage(t)
	podSecurity(t, admin, "privileged")
	t.Cleanup(func() { podSecurity(t, admin, "restricted") })
	made := func(name, component string) *corev1.Pod {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: runsNamespace, Labels: map[string]string{v1beta1.LabelComponent: component}},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "store:1", VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}}}, {Name: "sidecar", Image: "mesh:1"}}, Volumes: []corev1.Volume{{Name: "scratch"}, {Name: "data",
				VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}},
		}
		// Changes of a namespace take effect with a delay.
		require.Eventually(t, func() bool { return admin.Create(t.Context(), pod) == nil }, rightsPatience, rightsInterval)
		t.Cleanup(func() { _ = admin.Delete(context.WithoutCancel(t.Context()), pod, client.GracePeriodSeconds(0)) })
		return pod
	}
	store, load := made("hit-0", v1beta1.StoreComponent), made("load-0", "load")
	sent := func(pod *corev1.Pod, kind v1beta1.FaultKind, change func(*corev1.EphemeralContainer)) error {
		pod = pod.DeepCopy()
		container := helper.Container("fault-1", helper.Order{Kind: kind, At: time.Now(), For: time.Second}, pod, image, corev1.PullNever)
		change(&container)
		pod.Spec.EphemeralContainers = append(pod.Spec.EphemeralContainers, container)
		return thief.SubResource("ephemeralcontainers").Update(t.Context(), pod, client.DryRunAll)
	}
	asItIs := func(*corev1.EphemeralContainer) {}
	// Policies and rights take effect with a delay.
	require.Eventually(t, func() bool { return apierrors.IsInvalid(sent(load, v1beta1.FaultPause, asItIs)) }, rightsPatience, rightsInterval)
	for name, change := range map[string]func(*corev1.EphemeralContainer){
		"another image":   func(c *corev1.EphemeralContainer) { c.Image = "shell:1" },
		"another command": func(c *corev1.EphemeralContainer) { c.Command = []string{"/meter"} },
		"more rights": func(c *corev1.EphemeralContainer) {
			c.SecurityContext.Capabilities.Add = []corev1.Capability{"SYS_ADMIN"}
		},
		"one right more": func(c *corev1.EphemeralContainer) {
			c.SecurityContext.Capabilities.Add = append(c.SecurityContext.Capabilities.Add, "SYS_ADMIN")
		},
		"no right but root": func(c *corev1.EphemeralContainer) { c.SecurityContext.Capabilities.Add = nil },
		"all rights":        func(c *corev1.EphemeralContainer) { c.SecurityContext = &corev1.SecurityContext{Privileged: new(true)} },
		"a right without its kind": func(c *corev1.EphemeralContainer) {
			c.SecurityContext.Capabilities.Add = []corev1.Capability{"DAC_OVERRIDE"}
		},
		"no seccomp profile": func(c *corev1.EphemeralContainer) { c.SecurityContext.SeccompProfile = nil },
		"another seccomp profile": func(c *corev1.EphemeralContainer) {
			c.SecurityContext.SeccompProfile = &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeUnconfined}
		},
		"the processes of a sidecar": func(c *corev1.EphemeralContainer) { c.TargetContainerName = "sidecar" },
		"the processes of nobody":    func(c *corev1.EphemeralContainer) { c.TargetContainerName = "" },
		"what it is not told":        func(c *corev1.EphemeralContainer) { c.Env = []corev1.EnvVar{{Name: "LD_PRELOAD", Value: "x"}} },
	} {
		err := sent(store, v1beta1.FaultPause, change)
		assert.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
	}
	rewritten := func(reference string) func(*corev1.EphemeralContainer) {
		return func(c *corev1.EphemeralContainer) { c.Image = reference }
	}
	digest := "@sha256:" + strings.Repeat("0a", 32)
	for _, reference := range []string{image + digest, helperMirror + ":dev", helperMirror + ":dev" + digest, helperMirror + digest} { // by a webhook of the cluster
		assert.NoError(t, sent(store, v1beta1.FaultPause, rewritten(reference)), reference)
	}
	for _, reference := range []string{image + "-evil" + digest, helperMirror + "-evil:dev", strings.TrimSuffix(image, ":dev") + ":other", "mirror.example/shell" + digest} {
		assert.True(t, apierrors.IsInvalid(sent(store, v1beta1.FaultPause, rewritten(reference))), reference)
	}
	for _, kind := range v1beta1.FaultKinds() {
		if !kind.Timed() {
			continue
		}
		assert.NoError(t, sent(store, kind, asItIs), "%s goes through", kind)
		assert.ErrorContains(t, sent(store, kind, func(c *corev1.EphemeralContainer) {
			c.VolumeMounts = []corev1.VolumeMount{{Name: "scratch", MountPath: helper.Volume}}
		}), "may mount nothing", kind)
		assert.ErrorContains(t, sent(store, kind, func(c *corev1.EphemeralContainer) {
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: "data", MountPath: "/data"})
		}), "may mount nothing", kind)
	}
	assert.ErrorContains(t, sent(store, v1beta1.FaultMaintain, func(c *corev1.EphemeralContainer) { c.SecurityContext.RunAsNonRoot = nil }), "none and not be root",
		"a helper without a capability needs no root")
	assert.ErrorContains(t, sent(store, v1beta1.FaultMaintain, func(c *corev1.EphemeralContainer) { c.TargetContainerName = "main" }), "target no container",
		"a helper that orders a task needs no processes")
	podSecurity(t, admin, "baseline")
	require.Eventually(t, func() bool { return apierrors.IsForbidden(sent(store, v1beta1.FaultPause, asItIs)) }, rightsPatience, rightsInterval,
		"a namespace that allows no such capability refuses it")
	assert.NoError(t, sent(store, v1beta1.FaultMaintain, asItIs), "a helper without a capability goes through")
}

// podSecurity sets the Pod Security level of the namespace of the runs.
func podSecurity(t *testing.T, admin client.Client, level string) {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: runsNamespace}}
	labelled := namespace.DeepCopy()
	labelled.Labels = map[string]string{"pod-security.kubernetes.io/enforce": level}
	require.NoError(t, admin.Patch(context.WithoutCancel(t.Context()), labelled, client.MergeFrom(namespace)))
}

// operatorImage returns the image of the operator's Deployment in the chart.
func operatorImage(t *testing.T) string {
	t.Helper()
	for _, object := range renderedWithRights(t, "ringside") {
		if object.GetKind() != "Deployment" {
			continue
		}
		containers, _, err := unstructured.NestedSlice(object.Object, "spec", "template", "spec", "containers")
		require.NoError(t, err)
		return containers[0].(map[string]any)["image"].(string)
	}
	t.Fatal("the chart has no Deployment")
	return ""
}
