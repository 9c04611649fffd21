package operator

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/storechart"
)

// A user who may create Experiments decides what the operator installs.
func TestTheOperatorsPodsHaveNoSecretsAndNoOtherAccount(t *testing.T) {
	config, _ := apiServer(t)
	scheme, err := Scheme()
	require.NoError(t, err)
	thief, err := client.New(as(config, runsNamespace, "ringside-operator", nil), client.Options{Scheme: scheme})
	require.NoError(t, err)
	labels := map[string]string{"a": "b"}
	ofStore := func(change func(*corev1.PodSpec)) error {
		set := &appsv1.StatefulSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: runsNamespace, Name: "hsha-r1-abc", Annotations: map[string]string{"meta.helm.sh/release-name": "hsha-r1-abc"}},
			Spec: appsv1.StatefulSetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{ServiceAccountName: "hsha-r1-abc", Containers: []corev1.Container{{Name: "main", Image: "store:1"}}}}},
		}
		change(&set.Spec.Template.Spec)
		return thief.Create(t.Context(), set, client.DryRunAll)
	}
	ofLoad := func(change func(*corev1.PodSpec)) error {
		for _, job := range loadJobs() {
			job = job.DeepCopy()
			job.Namespace = runsNamespace
			change(&job.Spec.Template.Spec)
			return thief.Create(t.Context(), job, client.DryRunAll)
		}
		return nil
	}
	volume := func(source corev1.VolumeSource) func(*corev1.PodSpec) {
		return func(pod *corev1.PodSpec) {
			pod.Volumes = append(pod.Volumes, corev1.Volume{Name: "stolen", VolumeSource: source})
		}
	}
	projected := func(source corev1.VolumeProjection) func(*corev1.PodSpec) {
		return volume(corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{source}}})
	}
	secret := corev1.LocalObjectReference{Name: "secret"}
	variable := corev1.EnvVar{Name: "STOLEN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: secret, Key: "key"}}}
	forBoth := map[string]func(*corev1.PodSpec){
		"the operator's account": func(pod *corev1.PodSpec) { pod.ServiceAccountName = "ringside-operator" },
		"a secret":               volume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "secret"}}),
		"a projected secret":     projected(corev1.VolumeProjection{Secret: &corev1.SecretProjection{LocalObjectReference: secret}}),
		"a secret of a driver":   volume(corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "x.example", NodePublishSecretRef: &secret}}),
		"the claim of another":   volume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "archive"}}),
		"a folder of the node":   volume(corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}}),
		"a variable":             func(pod *corev1.PodSpec) { pod.Containers[0].Env = []corev1.EnvVar{variable} },
		"all variables": func(pod *corev1.PodSpec) {
			pod.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: secret}}}
		},
		"the processes of the node": func(pod *corev1.PodSpec) { pod.HostPID = true },
		"the memory of the node":    func(pod *corev1.PodSpec) { pod.HostIPC = true },
		"the network of the node":   func(pod *corev1.PodSpec) { pod.HostNetwork = true },
		"a port of the node": func(pod *corev1.PodSpec) {
			pod.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
		},
		"all rights": func(pod *corev1.PodSpec) {
			pod.Containers[0].SecurityContext = &corev1.SecurityContext{Privileged: new(true)}
		},
		"a variable before the main": func(pod *corev1.PodSpec) {
			pod.InitContainers = append(pod.InitContainers, corev1.Container{Name: "early", Image: "x:1", Env: []corev1.EnvVar{variable}})
		},
	}
	asItIs := func(*corev1.PodSpec) {}
	// Policies and rights take effect with a delay.
	require.Eventually(t, func() bool {
		return apierrors.IsInvalid(ofStore(forBoth["a secret"])) && ofStore(asItIs) == nil && ofLoad(asItIs) == nil
	}, rightsPatience, rightsInterval)
	for name, change := range forBoth {
		for who, err := range map[string]error{"store": ofStore(change), "load": ofLoad(change)} {
			assert.True(t, apierrors.IsInvalid(err), "%s with %s: %v", who, name, err)
		}
	}
	for name, change := range map[string]func(*corev1.PodSpec){
		"the account of loads":           func(pod *corev1.PodSpec) { pod.ServiceAccountName = "ringside-meter" },
		"an account with a similar name": func(pod *corev1.PodSpec) { pod.ServiceAccountName = "hsha-r1" },
		"the namespace's account":        func(pod *corev1.PodSpec) { pod.ServiceAccountName = "" },
		"a token":                        projected(corev1.VolumeProjection{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token"}}),
	} {
		assert.True(t, apierrors.IsInvalid(ofStore(change)), name)
	}
	for name, change := range map[string]func(*corev1.PodSpec){
		"an account of the release": func(pod *corev1.PodSpec) { pod.ServiceAccountName += "-postgresql" },
		"no account and no token":   func(pod *corev1.PodSpec) { pod.ServiceAccountName, pod.AutomountServiceAccountToken = "", new(false) },
	} {
		assert.NoError(t, ofStore(change), name)
	}
	releases, err := storechart.NewClient(as(config, runsNamespace, "ringside-operator", nil), runsNamespace, slog.DiscardHandler)
	require.NoError(t, err)
	stores, err := storechart.NewCatalogue(charts).Stores()
	require.NoError(t, err)
	for _, store := range stores {
		chart, err := storechart.NewCatalogue(charts).Open(store)
		require.NoError(t, err)
		require.NoError(t, releases.Install(t.Context(), storechart.Order{Release: "shared-" + store, Chart: chart, Values: map[string]any{}}), store)
		require.NoError(t, releases.Uninstall(t.Context(), "shared-"+store), store)
	}
}
