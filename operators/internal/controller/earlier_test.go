package controller_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/convert"
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/apiserver"
	"ringside.dev/ringside/operators/internal/operator"
)

// earlier has what the operator of commit f598315 left: its CRDs, and the namespace "upgraded" in the middle of a run, after one of four
// measurements and under the load of the second.
const earlier = "testdata/f598315/"

// earlierTime is a second after that operator's last write.
var earlierTime = time.Date(2026, 11, 27, 0, 56, 26, 0, time.UTC)

// beta returns an empty Experiment of v1beta1.
func beta(of *v1alpha1.Experiment) *unstructured.Unstructured {
	out := &unstructured.Unstructured{}
	out.SetAPIVersion("ringside.dev/v1beta1")
	out.SetKind("Experiment")
	out.SetNamespace(of.Namespace)
	out.SetName(of.Name)
	return out
}

// documents returns the objects of a compressed file of YAML.
func documents(t *testing.T, path string) [][]byte {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	unpacked, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	var out [][]byte
	for document := range strings.SplitSeq("\n"+string(text), "\n---\n") {
		if strings.TrimSpace(document) != "" {
			out = append(out, []byte(document))
		}
	}
	return out
}

// earlierCRDs returns the CRDs of commit f598315, which have no MeasurementPart.
func earlierCRDs(t *testing.T) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	var out []*apiextensionsv1.CustomResourceDefinition
	for _, document := range documents(t, earlier+"crds.yaml.gz") {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		require.NoError(t, yaml.UnmarshalStrict(document, crd))
		out = append(out, crd)
	}
	require.Len(t, out, 2)
	return out
}

// house is an API server whose CRDs change, as in upgrades and rollbacks.
type house struct {
	t      *testing.T
	config *rest.Config
	client client.WithWatch
	etcd   string
}

// earlierHouse starts an API server with the CRDs of commit f598315.
func earlierHouse(t *testing.T) house {
	t.Helper()
	if cluster == nil {
		t.Skip(whyAbsent)
	}
	environment := &envtest.Environment{CRDs: earlierCRDs(t), ControlPlaneStartTimeout: 3 * time.Minute, ControlPlaneStopTimeout: time.Minute}
	config, c, err := startServer(environment, nil) // a definition that changes changes the answers, too
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, environment.Stop()) })
	require.NoError(t, makeNodes(c))
	return house{t, config, c, environment.ControlPlane.Etcd.URL.String()}
}

// apply replaces CRDs as helm upgrade and helm rollback do, and waits until they are served. Helm leaves those that its chart no longer has.
func (h house) apply(crds ...*apiextensionsv1.CustomResourceDefinition) {
	h.t.Helper()
	_, err := envtest.InstallCRDs(h.config, envtest.CRDInstallOptions{CRDs: crds, MaxTime: time.Minute, PollInterval: 100 * time.Millisecond})
	require.NoError(h.t, err)
}

// todaysCRDs returns the CRDs of the chart, with v1beta1 converted in this process.
func todaysCRDs(t *testing.T) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	options := &envtest.CRDInstallOptions{Paths: []string{crds}, ErrorIfPathMissing: true}
	require.NoError(t, envtest.ReadCRDFiles(options))
	webhook := apiserver.Convert(options.CRDs, operator.ConversionPath, operator.ConversionHandler(convert.JSON))
	t.Cleanup(webhook.Close)
	return options.CRDs
}

// rewrite replaces a text in the stored form of an object: the API server lets nobody choose a UID.
func (h house) rewrite(key, was, is string) {
	h.t.Helper()
	call := func(method string, order, into any) {
		body, err := json.Marshal(order)
		require.NoError(h.t, err)
		response, err := http.Post(h.etcd+"/v3/kv/"+method, "application/json", bytes.NewReader(body))
		require.NoError(h.t, err)
		defer func() { _ = response.Body.Close() }()
		require.Equal(h.t, http.StatusOK, response.StatusCode)
		require.NoError(h.t, json.NewDecoder(response.Body).Decode(into))
	}
	type pair struct { // etcd's JSON has bytes in base64, as Go's
		Key   []byte `json:"key"`
		Value []byte `json:"value,omitempty"`
	}
	var found struct{ Kvs []pair }
	call("range", pair{Key: []byte(key)}, &found)
	require.Len(h.t, found.Kvs, 1)
	require.Contains(h.t, string(found.Kvs[0].Value), was)
	call("put", pair{[]byte(key), bytes.ReplaceAll(found.Kvs[0].Value, []byte(was), []byte(is))}, &struct{}{})
}

// restore creates the objects of a file, with their states. What refers to an object by its UID gets the UID that this API server has given.
func (h house) restore(namespace, path string) {
	h.t.Helper()
	require.NoError(h.t, h.client.Create(h.t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
	var uids []string
	renew := func(document []byte) *unstructured.Unstructured {
		object := &unstructured.Unstructured{}
		require.NoError(h.t, yaml.Unmarshal([]byte(strings.NewReplacer(uids...).Replace(string(document))), &object.Object))
		return object
	}
	all := documents(h.t, path)
	for _, document := range all {
		object := renew(document)
		was := string(object.GetUID())
		object.SetUID("")
		object.SetResourceVersion("")
		object.SetCreationTimestamp(metav1.Time{})
		if object.GetKind() == "Job" { // the API server sets the selector by the UID
			unstructured.RemoveNestedField(object.Object, "spec", "selector")
			unstructured.RemoveNestedField(object.Object, "spec", "template", "metadata", "labels")
		}
		require.NoError(h.t, h.client.Create(h.t.Context(), object), "%s %s", object.GetKind(), object.GetName())
		is := string(object.GetUID())
		switch object.GetKind() {
		case "Experiment": // the names of its stores depend on its UID
			h.rewrite("/registry/ringside.dev/experiments/"+namespace+"/"+object.GetName(), is, was)
			continue
		case "Job": // its pods' names have a part of its UID
			uids = append(uids, object.GetName()+"-0-"+was[:5], object.GetName()+"-0-"+is[:5])
		}
		uids = append(uids, was, is)
	}
	for _, document := range all {
		object := renew(document)
		status, has := object.Object["status"]
		if !has || object.GetKind() == "PersistentVolumeClaim" {
			continue
		}
		patch, err := json.Marshal(map[string]any{"status": status})
		require.NoError(h.t, err)
		require.NoError(h.t, h.client.Status().Patch(h.t.Context(), object, client.RawPatch("application/merge-patch+json", patch)), "%s %s", object.GetKind(), object.GetName())
	}
}
