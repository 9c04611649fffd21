package charttest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestAcceptsOnlyKindsThatEverySupportedKubernetesServes(t *testing.T) {
	for name, test := range map[string]struct {
		group, version, kind string
		oldest               int
		says                 string
	}{
		"a core kind":                      {"", "v1", "Service", Oldest, ""},
		"a kind older than the marks":      {"apps", "v1", "StatefulSet", Oldest, ""},
		"a definition":                     {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", Oldest, ""},
		"a kind that a cluster may have":   {"monitoring.coreos.com", "v1", "ServiceMonitor", Oldest, ""},
		"a kind in its first version":      {"networking.k8s.io", "v1", "IPAddress", 33, ""},
		"a kind before its first version":  {"networking.k8s.io", "v1", "IPAddress", 32, "from 1.33 on, and the charts support 1.32"},
		"a beta version":                   {"networking.k8s.io", "v1beta1", "IPAddress", Oldest, "do not serve networking.k8s.io/v1beta1 by default"},
		"a version that was removed":       {"policy", "v1", "PodSecurityPolicy", Oldest, "no such kind in policy/v1"},
		"a group of nobody":                {"example.org", "v1", "Service", Oldest, "no such kind in example.org/v1"},
		"a kind of another group":          {"apps", "v1", "Job", Oldest, "no such kind in apps/v1"},
		"a policy of the first GA version": {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", 30, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := servedIn(schema.GroupVersionKind{Group: test.group, Version: test.version, Kind: test.kind}, test.oldest, Newest)
			if test.says == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, test.says)
			}
		})
	}
}
