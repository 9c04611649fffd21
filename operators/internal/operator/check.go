package operator

import (
	"context"
	"fmt"
	"io"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Check reports whether the operator's rights suffice to run experiments on the cluster: the CRDs are served, all
// watched kinds can be listed, and every kind of object in its charts can be created. It prints a line per check.
func Check(ctx context.Context, args []string, out io.Writer) error {
	options, err := ParseOptions(args)
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	scheme, err := Scheme()
	if err != nil {
		return err
	}
	direct, err := client.New(config, client.Options{Scheme: scheme})
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	for _, object := range append(controller.Watched(), &v1beta1.Experiment{}, &v1beta1.Measurement{}, &v1beta1.MeasurementPart{}, &corev1.Node{}) {
		if err := canList(ctx, direct, object, options.Namespace, out); err != nil {
			return err
		}
	}
	if options.OtherRuns {
		if err := canList(ctx, direct, &v1beta1.Experiment{}, corev1.NamespaceAll, out); err != nil {
			return fmt.Errorf("in all namespaces: %w", err)
		}
	}
	kinds, err := StoreKinds(ctx, storechart.NewCatalogue(options.ChartsDir))
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		if err := canCreate(ctx, direct, kind, options.Namespace, out); err != nil {
			return err
		}
	}
	return nil
}

func canList(ctx context.Context, c client.Client, object client.Object, namespace string, out io.Writer) error {
	kind, err := c.GroupVersionKindFor(object)
	if err != nil {
		return fmt.Errorf("find the kind of %T: %w", object, err)
	}
	listKind := kind
	listKind.Kind += "List"
	empty, err := c.Scheme().New(listKind)
	if err != nil {
		return fmt.Errorf("find the list of %s: %w", kind.Kind, err)
	}
	options := []client.ListOption{client.Limit(1)}
	if _, isNode := object.(*corev1.Node); !isNode {
		options = append(options, client.InNamespace(namespace))
	}
	if err := c.List(ctx, empty.(client.ObjectList), options...); err != nil {
		return fmt.Errorf("list %s: %w", kind.Kind, err)
	}
	_, err = fmt.Fprintf(out, "can list %s\n", kind.Kind)
	return err
}

func canCreate(ctx context.Context, c client.Client, kind schema.GroupVersionKind, namespace string, out io.Writer) error {
	mapping, err := c.RESTMapper().RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) {
		return fmt.Errorf("the cluster does not serve %s, which a store's chart contains", kind)
	}
	if err != nil {
		return fmt.Errorf("find the resource of %s: %w", kind, err)
	}
	for _, verb := range []string{"create", "patch", "get", "delete"} {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: namespace, Verb: verb, Group: mapping.Resource.Group, Resource: mapping.Resource.Resource,
			},
		}}
		if err := c.Create(ctx, review); err != nil {
			return fmt.Errorf("check whether %s may be created: %w", kind.Kind, err)
		}
		if !review.Status.Allowed {
			return fmt.Errorf("the operator may not %s %s, which a store's chart contains; add it to its Role", verb, mapping.Resource.Resource)
		}
	}
	_, err = fmt.Fprintf(out, "can make and remove %s\n", kind.Kind)
	return err
}

// StoreKinds returns the kinds of all objects in the charts of the stores, with as many server types as a release can host.
func StoreKinds(ctx context.Context, catalogue storechart.Catalogue) ([]schema.GroupVersionKind, error) {
	names, err := catalogue.Stores()
	if err != nil {
		return nil, err
	}
	var kinds []schema.GroupVersionKind
	for _, name := range names {
		chart, err := catalogue.Open(name)
		if err != nil {
			return nil, err
		}
		values, err := storechart.Values(nil, nil, storechart.Servers{Types: chart.ServersTogether()}, storechart.SomeImages())
		if err != nil {
			return nil, err
		}
		manifest, err := storechart.Render(ctx, storechart.Order{Release: "check", Chart: chart, Values: values}, corev1.NamespaceDefault)
		if err != nil {
			return nil, err
		}
		objects, err := storechart.Objects(manifest)
		if err != nil {
			return nil, fmt.Errorf("read the manifest of chart %s: %w", name, err)
		}
		for _, object := range objects {
			if kind := object.GroupVersionKind(); !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds, nil
}
