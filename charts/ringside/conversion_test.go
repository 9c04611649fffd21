package ringside_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"

	"ringside.dev/ringside/charts/internal/charttest"
)

const (
	conversion  = "Secret/ringside-conversion"
	experiments = "CustomResourceDefinition/experiments.ringside.dev"

	// converts switches the conversion on.
	converts = "conversion: {enabled: true}\n"
)

// clientConfig returns what the API server knows of the operator.
func clientConfig(t *testing.T, objects charttest.Objects) *apiextensionsv1.WebhookClientConfig {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	objects.Get(t, experiments, &crd)
	for _, version := range crd.Spec.Versions {
		assert.True(t, version.Served, version.Name)
		assert.Equal(t, version.Name == "v1alpha1", version.Storage, version.Name)
	}
	require.NotNil(t, crd.Spec.Conversion)
	assert.Equal(t, apiextensionsv1.WebhookConverter, crd.Spec.Conversion.Strategy)
	return crd.Spec.Conversion.Webhook.ClientConfig
}

// trusts verifies the certificate of the Secret as the API server does.
func trusts(t *testing.T, objects charttest.Objects) *x509.Certificate {
	t.Helper()
	var secret corev1.Secret
	objects.Get(t, conversion, &secret)
	pair, err := tls.X509KeyPair(secret.Data["tls.crt"], secret.Data["tls.key"])
	require.NoError(t, err)
	server := clientConfig(t, objects)
	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(server.CABundle))
	name := fmt.Sprintf("%s.%s.svc", server.Service.Name, server.Service.Namespace)
	_, err = pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name})
	require.NoError(t, err)
	return pair.Leaf
}

func TestTheAPIServerTrustsTheOperatorThatConverts(t *testing.T) {
	objects := charttest.MustRender(t, ".", converts)
	certificate := trusts(t, objects)
	assert.Greater(t, time.Until(certificate.NotAfter), 9*365*24*time.Hour)

	var service corev1.Service
	objects.Get(t, "Service/ringside-conversion", &service)
	var operator appsv1.Deployment
	objects.Get(t, "Deployment/ringside-operator", &operator)
	assert.Subset(t, operator.Spec.Template.Labels, service.Spec.Selector)
	container := operator.Spec.Template.Spec.Containers[0]
	assert.Subset(t, container.Args, []string{"--conversion-dir=/conversion", "--conversion-port=9443"})
	require.Equal(t, intstr.FromString("conversion"), service.Spec.Ports[0].TargetPort)
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: "conversion", ContainerPort: 9443})
	assert.Equal(t, "ringside-conversion", volume(operator, "conversion").Secret.SecretName)
	assert.NotContains(t, volume(operator, "conversion").Secret.Items, corev1.KeyToPath{Key: "ca.crt", Path: "ca.crt"})
}

func TestACertificateIsKeptForAYearAndRenewedWithoutAGap(t *testing.T) {
	first := charttest.MustRender(t, ".", converts)
	kept := func(objects charttest.Objects) *unstructured.Unstructured {
		secret := objects[conversion].DeepCopy()
		secret.SetNamespace(charttest.Namespace)
		return secret
	}
	next, err := charttest.RenderOver(t, ".", converts, kept(first))
	require.NoError(t, err)
	assert.Equal(t, first[conversion].Object["data"], next[conversion].Object["data"], "an upgrade changes nothing")
	assert.Equal(t, clientConfig(t, first), clientConfig(t, next))

	old := kept(first)
	made := strconv.FormatInt(time.Now().AddDate(-1, 0, -1).Unix(), 10)
	old.SetAnnotations(map[string]string{"ringside.dev/made": made})
	renewed, err := charttest.RenderOver(t, ".", converts, old)
	require.NoError(t, err)
	assert.NotEqual(t, trusts(t, first).SerialNumber, trusts(t, renewed).SerialNumber)
	var was corev1.Secret
	first.Get(t, conversion, &was)
	assert.Contains(t, string(clientConfig(t, renewed).CABundle), string(was.Data["tls.crt"]), "until the pods read the new one")
	assert.Equal(t, 2, strings.Count(string(clientConfig(t, renewed).CABundle), "BEGIN"))
	again, err := charttest.RenderOver(t, ".", converts, kept(renewed))
	require.NoError(t, err)
	assert.Equal(t, clientConfig(t, renewed), clientConfig(t, again))
}

func TestACertificateOfTheUserIsUsed(t *testing.T) {
	objects := charttest.MustRender(t, ".", `conversion: {enabled: true, secret: ours, caBundle: "-----BEGIN CERTIFICATE-----\n"}`)
	assert.NotContains(t, objects, conversion)
	assert.Equal(t, "-----BEGIN CERTIFICATE-----\n", string(clientConfig(t, objects).CABundle))
	var operator appsv1.Deployment
	objects.Get(t, "Deployment/ringside-operator", &operator)
	assert.Equal(t, "ours", volume(operator, "conversion").Secret.SecretName)
	assert.Empty(t, clientConfig(t, charttest.MustRender(t, ".", "conversion: {enabled: true, secret: ours}")).CABundle, "another tool sets it")
}

func TestOnlyTheReleaseWithTheCRDsConverts(t *testing.T) {
	objects := charttest.MustRender(t, ".", converts+"crds: {enabled: false}")
	for _, key := range []string{conversion, experiments, "Service/ringside-conversion"} {
		assert.NotContains(t, objects, key)
	}
	var operator appsv1.Deployment
	objects.Get(t, "Deployment/ringside-operator", &operator)
	assert.Empty(t, operator.Spec.Template.Spec.Volumes)
	for _, arg := range operator.Spec.Template.Spec.Containers[0].Args {
		assert.NotContains(t, arg, "conversion")
	}
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/ringside-operator", &policy)
	assert.Len(t, policy.Spec.Ingress, 1)
}

// With v1beta1, which kubectl and the controllers of Kubernetes prefer, a namespace could not be deleted while no operator runs.
func TestNothingNeedsTheOperatorByDefault(t *testing.T) {
	objects := charttest.MustRender(t, ".", "")
	for _, key := range []string{conversion, "Service/ringside-conversion"} {
		assert.NotContains(t, objects, key)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	objects.Get(t, experiments, &crd)
	assert.Nil(t, crd.Spec.Conversion)
	for _, version := range crd.Spec.Versions {
		assert.Equal(t, version.Name == "v1alpha1", version.Served, version.Name)
	}
}

func TestWhoMayConnectToTheConversionIsAValue(t *testing.T) {
	var all, some networkingv1.NetworkPolicy
	charttest.MustRender(t, ".", converts).Get(t, "NetworkPolicy/ringside-operator", &all)
	require.Len(t, all.Spec.Ingress, 2)
	assert.Empty(t, all.Spec.Ingress[1].From)
	assert.Equal(t, intstr.FromString("conversion"), *all.Spec.Ingress[1].Ports[0].Port)
	charttest.MustRender(t, ".", converts+"networkPolicy: {conversionFrom: [{ipBlock: {cidr: 10.0.0.1/32}}]}").Get(t, "NetworkPolicy/ringside-operator", &some)
	assert.Equal(t, "10.0.0.1/32", some.Spec.Ingress[1].From[0].IPBlock.CIDR)
}
