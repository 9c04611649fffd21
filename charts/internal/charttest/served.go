package charttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// Oldest and Newest are the first and the last minor version of Kubernetes 1 that the charts support.
const (
	Oldest = 33
	Newest = 37
)

// installed has the API groups that a cluster serves only if its owner installed them. Charts use them on request.
var installed = []string{"monitoring.coreos.com", "ringside.dev"}

// kinds has the types of the newest Kubernetes. Their methods report the version that introduced them.
var kinds = func() *runtime.Scheme {
	kinds := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(kinds))
	utilruntime.Must(apiextensionsv1.AddToScheme(kinds))
	return kinds
}()

// Served tests that every supported version of Kubernetes serves a kind without being configured to.
func Served(t *testing.T, apiVersion, kind string) {
	t.Helper()
	assert.NoError(t, servedIn(schema.FromAPIVersionAndKind(apiVersion, kind), Oldest, Newest))
}

// servedIn returns an error if a minor version from oldest to newest does not serve the kind.
func servedIn(kind schema.GroupVersionKind, oldest, newest int) error {
	if slices.Contains(installed, kind.Group) {
		return nil
	}
	if strings.Contains(kind.Version, "alpha") || strings.Contains(kind.Version, "beta") {
		return fmt.Errorf("%s: clusters do not serve %s by default; use a stable version", kind.Kind, kind.GroupVersion())
	}
	object, err := kinds.New(kind)
	if err != nil {
		return fmt.Errorf("%s: Kubernetes 1.%d has no such kind in %s; correct apiVersion or kind", kind.Kind, newest, kind.GroupVersion())
	}
	// The method is generated from the mark of the API type. Types without it are older than the marks. Kubernetes 1 removes no stable
	// version.
	if introduced, ok := object.(interface{ APILifecycleIntroduced() (int, int) }); ok {
		if _, since := introduced.APILifecycleIntroduced(); since > oldest {
			return fmt.Errorf("%s: Kubernetes serves %s from 1.%d on, and the charts support 1.%d; use an older apiVersion", kind.Kind, kind.GroupVersion(), since, oldest)
		}
	}
	return nil
}
