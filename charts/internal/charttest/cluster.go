package charttest

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/fake"
)

// cluster answers the lookup function of templates.
type cluster []*unstructured.Unstructured

// GetClientFor returns Helm's client for the objects of one kind.
func (c cluster) GetClientFor(apiVersion, kind string) (dynamic.NamespaceableResourceInterface, bool, error) {
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, false, err
	}
	resource := version.WithResource(strings.ToLower(kind) + "s")
	var objects []runtime.Object
	for _, object := range c {
		objects = append(objects, object)
	}
	kinds := map[schema.GroupVersionResource]string{resource: kind + "List"}
	return fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds, objects...).Resource(resource), true, nil
}

// Installed returns the StatefulSet of an installed store with this number of nodes.
func Installed(name string, nodes int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "StatefulSet",
		"metadata": map[string]any{"name": name, "namespace": Namespace}, "spec": map[string]any{"replicas": nodes},
	}}
}
