package installation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Monitoring is what scrapes Ringside.
type Monitoring string

// The values of MONITORING. Detect is Operator on a cluster with a Prometheus Operator, and Own on others; a cluster where
// monitoring is installed keeps what it has.
const (
	Detect   Monitoring = ""
	None     Monitoring = "none"
	Own      Monitoring = "own"
	Operator Monitoring = "operator"
)

// ParseMonitoring reads a value of MONITORING.
func ParseMonitoring(text string) (Monitoring, error) {
	all := []Monitoring{None, Own, Operator}
	if asked := Monitoring(strings.TrimSpace(text)); asked == Detect || slices.Contains(all, asked) {
		return asked, nil
	}
	return "", fmt.Errorf("MONITORING (--monitoring) is %q: use none, own or operator, or leave it empty to detect a Prometheus Operator", text)
}

// operatorGroup is the API group of the Prometheus Operator.
const operatorGroup = "monitoring.coreos.com"

var prometheuses = schema.GroupVersionKind{Group: operatorGroup, Version: "v1", Kind: "PrometheusList"}

// monitoringValues returns what the monitoring mode sets: defaults, and values that the user asked for. decided reports
// whether an installed release or other values decide; the mode then changes only if the user asks for one.
func (i *Installer) monitoringValues(ctx context.Context, asked Monitoring, decided bool) (defaults, wanted Values, err error) {
	if asked == Detect && decided {
		return nil, nil, nil
	}
	if asked == Own {
		return nil, Set(false, "prometheusOperator", "enabled"), nil
	}
	served, err := i.servesGroup(operatorGroup)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case asked == Detect && !served:
		return nil, nil, nil
	case !served:
		return nil, nil, fmt.Errorf("MONITORING is operator: the cluster has no Prometheus Operator (no API group %s); use MONITORING=own or none", operatorGroup)
	}
	labels := Set(i.selectorLabels(ctx), "prometheusOperator", "labels")
	enabled := Set(true, "prometheusOperator", "enabled")
	if asked == Detect {
		i.Say("the cluster has a Prometheus Operator: monitors, rules and dashboards are installed for it, and no Prometheus (MONITORING=own installs one)")
		return Overlay(labels, enabled), nil, nil
	}
	return labels, enabled, nil
}

func (i *Installer) servesGroup(name string) (bool, error) {
	groups, err := i.Discovery.ServerGroups()
	if err != nil {
		return false, fmt.Errorf("read the API groups of the cluster: %w", err)
	}
	for _, group := range groups.Groups {
		if group.Name == name {
			return true, nil
		}
	}
	return false, nil
}

// selectorLabels returns the labels by which all the cluster's Prometheuses select PodMonitors; empty if they differ or
// cannot be read.
func (i *Installer) selectorLabels(ctx context.Context) Values {
	var list unstructured.UnstructuredList
	list.SetGroupVersionKind(prometheuses)
	if i.Client.List(ctx, &list) != nil {
		return Values{}
	}
	var common map[string]string
	for at := range list.Items {
		labels, _, err := unstructured.NestedStringMap(list.Items[at].Object, "spec", "podMonitorSelector", "matchLabels")
		if err != nil || at > 0 && !maps.Equal(labels, common) {
			return Values{}
		}
		common = labels
	}
	out := Values{}
	for name, value := range common {
		out[name] = value
	}
	return out
}

// annotationDefaultClass marks the cluster's default storage class.
const annotationDefaultClass = "storageclass.kubernetes.io/is-default-class"

// checkVolume reports, before anything is installed, that no class can provide Prometheus's volume. Otherwise its pod would
// stay pending. It accepts what it cannot read.
func (i *Installer) checkVolume(ctx context.Context, part Part, values Values) error {
	if At(values, "prometheusOperator", "enabled") == true || At(values, "prometheus", "storage", "enabled") != true {
		return nil
	}
	claim := client.ObjectKey{Namespace: part.Namespace, Name: "data-" + part.Release + "-prometheus-0"}
	var exists corev1.PersistentVolumeClaim
	if err := i.Client.Get(ctx, claim, &exists); !apierrors.IsNotFound(err) {
		return nil
	}
	var classes storagev1.StorageClassList
	if i.Client.List(ctx, &classes) != nil {
		return nil
	}
	wanted, _ := At(values, "prometheus", "storage", "className").(string)
	var names []string
	for _, class := range classes.Items {
		if class.Name == wanted || wanted == "" && class.Annotations[annotationDefaultClass] == "true" {
			return nil
		}
		names = append(names, class.Name)
	}
	known := "the cluster has none"
	if len(names) > 0 {
		known = "the cluster has " + strings.Join(names, ", ")
	}
	what := "the cluster has no default storage class for Prometheus's volume"
	if wanted != "" {
		what = fmt.Sprintf("the storage class %q of Prometheus's volume does not exist", wanted)
	}
	return fmt.Errorf("%s; set prometheus.storage.className in MONITORING_VALUES to a class (%s), or prometheus.storage.enabled to false: Prometheus then loses its data with its pod; or leave it out by MONITORING=none", what, known)
}
