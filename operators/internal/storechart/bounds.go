package storechart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/postrenderer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

// storeKinds are the kinds of objects that a store's chart may have: those of the charts in the operator's image, for which the operator has
// rights. All belong to a namespace.
var storeKinds = []schema.GroupKind{
	{Kind: "ConfigMap"},
	{Kind: "Service"},
	{Kind: "ServiceAccount"},
	{Group: "apps", Kind: "StatefulSet"},
	{Group: "networking.k8s.io", Kind: "NetworkPolicy"},
	{Group: "policy", Kind: "PodDisruptionBudget"},
}

const (
	annotationHook = "helm.sh/hook"
	testHook       = "test"
)

// boundedRenderer rejects objects that a store's chart may not have. As a post-renderer it sees what Helm would create, hooks included,
// before anything is created: a template can render other objects in a cluster than without one.
type boundedRenderer struct {
	chart, namespace string
	labelRenderer
}

// Run implements Helm's post-renderer. It checks what it returns, so that no other parser can read it differently.
func (r boundedRenderer) Run(manifests *bytes.Buffer) (*bytes.Buffer, error) {
	out, err := r.labelRenderer.Run(manifests)
	if err != nil {
		return nil, err
	}
	return out, each(out.String(), func(string) bool { return true }, func(raw []byte) error {
		var object metav1.PartialObjectMetadata
		if err := json.Unmarshal(raw, &object); err != nil {
			return fmt.Errorf("read a rendered manifest: %w", err)
		}
		return r.check(object)
	})
}

// rendererOf returns the post-renderer of an installation.
func rendererOf(order Order, namespace string) postrenderer.PostRenderer {
	return boundedRenderer{chart: order.Chart.Name(), namespace: namespace, labelRenderer: labelRenderer{order.Labels, beside(order)}}
}

func (r boundedRenderer) check(object metav1.PartialObjectMetadata) error {
	kind := object.GroupVersionKind().GroupKind()
	switch {
	case object.Annotations[annotationHook] == testHook: // Ringside runs no tests of charts
		return nil
	case !slices.Contains(storeKinds, kind):
		return problem.New("remove it from the chart, or disable it in the values", "chart %s has a %s, %s, but the chart of a store may have %s only",
			r.chart, kind, object.Name, kindNames()).Because(v1beta1.RefusedKindNotAllowed)
	case object.Namespace != "" && object.Namespace != r.namespace:
		return problem.New("remove its namespace from the chart", "chart %s has %s %s in namespace %s, but a store is in the namespace of its run",
			r.chart, kind.Kind, object.Name, object.Namespace).Because(v1beta1.RefusedKindNotAllowed)
	}
	return nil
}

// StoreKinds returns the kinds of objects that a store's chart may have.
func StoreKinds() []schema.GroupKind { return slices.Clone(storeKinds) }

func kindNames() string {
	var names []string
	for _, kind := range storeKinds {
		names = append(names, kind.Kind)
	}
	return strings.Join(names, ", ")
}
