package ringside_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"

	"ringside.dev/ringside/charts/internal/charttest"
)

func TestPassesHelmsLinter(t *testing.T) {
	assert.Empty(t, charttest.Lint(t, "."))
}

// kubectl delete crd waits for the finalizers of runs, which only an operator removes.
func TestTheNotesRemoveRunsBeforeTheOperatorAndTheCRDs(t *testing.T) {
	notes, err := os.ReadFile("templates/NOTES.txt")
	require.NoError(t, err)
	var at []int
	for _, command := range []string{"delete experiments --all", " uninstall ", "delete crd"} {
		at = append(at, strings.Index(string(notes), command))
	}
	assert.Positive(t, at[0])
	assert.IsIncreasing(t, at)
}

func TestOursAndThePrometheusOperatorsPrometheusMayReadMetrics(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	for _, name := range []string{"NetworkPolicy/ringside-operator", "NetworkPolicy/ringside-load"} {
		var policy networkingv1.NetworkPolicy
		objects.Get(t, name, &policy)
		require.NotEmpty(t, policy.Spec.Ingress)
		from := policy.Spec.Ingress[0].From
		require.Len(t, from, 2)
		assert.Equal(t, "prometheus", from[0].PodSelector.MatchLabels["app.kubernetes.io/component"])
		assert.Equal(t, "prometheus", from[1].PodSelector.MatchLabels["app.kubernetes.io/name"])
	}
}

func TestANewChartsVersionStartsNoPodAnew(t *testing.T) {
	var operator appsv1.Deployment
	charttest.MustRender(t, ".", "").Get(t, "Deployment/ringside-operator", &operator)
	assert.NotContains(t, operator.Spec.Template.Labels, "helm.sh/chart")
}

func TestLeavesTheIdsToAClusterThatChoosesThem(t *testing.T) {
	var operator appsv1.Deployment
	charttest.MustRender(t, ".", "runAs: 0").Get(t, "Deployment/ringside-operator", &operator)
	assert.Nil(t, operator.Spec.Template.Spec.SecurityContext.RunAsUser)
	assert.True(t, *operator.Spec.Template.Spec.SecurityContext.RunAsNonRoot)
}

func TestAllThatPullsFromARegistryLogsInToIt(t *testing.T) {
	objects := charttest.MustRender(t, ".", "imagePullSecrets: [{name: ours}, {name: another}]\n"+inClaim)
	for _, name := range []string{"ServiceAccount/ringside-operator", "ServiceAccount/ringside-meter", "ServiceAccount/ringside-nightly"} {
		var account corev1.ServiceAccount
		objects.Get(t, name, &account)
		assert.Equal(t, []corev1.LocalObjectReference{{Name: "ours"}, {Name: "another"}}, account.ImagePullSecrets, name)
	}
	var operator appsv1.Deployment
	objects.Get(t, "Deployment/ringside-operator", &operator)
	assert.Subset(t, operator.Spec.Template.Spec.Containers[0].Args, []string{"--image-pull-secrets=ours", "--image-pull-secrets=another"}, "stores are told by the operator")
}

func TestInstallsChartsOfRegistriesOnlyWhereItIsAsked(t *testing.T) {
	var operator appsv1.Deployment
	charttest.MustRender(t, ".", "").Get(t, "Deployment/ringside-operator", &operator)
	for _, arg := range operator.Spec.Template.Spec.Containers[0].Args {
		assert.NotContains(t, arg, "store-chart")
	}
	assert.Empty(t, volume(operator, "registries"))

	operator = appsv1.Deployment{}
	charttest.MustRender(t, ".", "storeCharts: {allowed: [oci://registry.example/team, \"oci://localhost:5000\"], mirrors: {\"localhost:5000\": \"10.0.0.1:5000\"}, pullSecret: login}").
		Get(t, "Deployment/ringside-operator", &operator)
	container := operator.Spec.Template.Spec.Containers[0]
	assert.Subset(t, container.Args, []string{"--store-charts=oci://registry.example/team", "--store-charts=oci://localhost:5000", "--store-chart-mirrors=localhost:5000=10.0.0.1:5000"})
	assert.Contains(t, container.Env, corev1.EnvVar{Name: "DOCKER_CONFIG", Value: "/registries"})
	assert.Equal(t, &corev1.SecretVolumeSource{SecretName: "login", Items: []corev1.KeyToPath{{Key: ".dockerconfigjson", Path: "config.json"}}}, volume(operator, "registries").Secret)
}

// A proxy, and the authorities of a company, are variables and files to Go programs.
func TestReachesRegistriesAndBucketsBehindAProxyAndByAPrivateAuthority(t *testing.T) {
	const values = `
extraEnv: [{name: HTTPS_PROXY, value: "http://proxy.example:3128"}, {name: SSL_CERT_FILE, value: /authorities/ca.crt}]
extraVolumes: [{name: authorities, configMap: {name: company}}]
extraVolumeMounts: [{name: authorities, mountPath: /authorities}]
` + inClaim
	objects := charttest.MustRender(t, ".", values)
	var operator appsv1.Deployment
	objects.Get(t, "Deployment/ringside-operator", &operator)
	_, night := nightly(t, values)
	for _, pod := range []corev1.PodSpec{operator.Spec.Template.Spec, night} {
		for _, container := range slices.Concat(pod.InitContainers, pod.Containers) {
			assert.Equal(t, "http://proxy.example:3128", charttest.Environment(container)["HTTPS_PROXY"], container.Name)
			assert.Contains(t, container.VolumeMounts, corev1.VolumeMount{Name: "authorities", MountPath: "/authorities"}, container.Name)
		}
		assert.True(t, slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == "authorities" && v.ConfigMap.Name == "company" }))
	}
}

func TestNodesPullTheOperatorByItsDigestIfItIsGiven(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	var operator appsv1.Deployment
	charttest.MustRender(t, ".", "image: {operatorDigest: "+digest+"}").Get(t, "Deployment/ringside-operator", &operator)
	container := operator.Spec.Template.Spec.Containers[0]
	assert.Equal(t, "ringside.local/ringside-operator:dev@"+digest, container.Image)
	assert.Contains(t, container.Args, "--meter-image="+container.Image)
}

// volume returns a volume of the operator's pod; an empty one if there is none of that name.
func volume(operator appsv1.Deployment, name string) corev1.Volume {
	for _, volume := range operator.Spec.Template.Spec.Volumes {
		if volume.Name == name {
			return volume
		}
	}
	return corev1.Volume{}
}
