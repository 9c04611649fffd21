package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestCheckClasses_namesTheClassThatTheClusterLacks(t *testing.T) {
	const head = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: store}\nspec:\n  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec: "
	plain := storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "plain"}}
	standard := storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "standard", Annotations: map[string]string{isDefaultClass: "true"}}}
	for _, test := range []struct {
		name, claim, says string
		classes           []storagev1.StorageClass
	}{
		{"named and there", "{storageClassName: plain}", "", []storagev1.StorageClass{plain}},
		{"none named, and a default", "{}", "", []storagev1.StorageClass{plain, standard}},
		{"no class wanted", `{storageClassName: ""}`, "", nil},
		{"named and missing", "{storageClassName: gp3}", "the volumes of StatefulSet store need storage class gp3, which the cluster lacks: set store.values.storage.className to one of the cluster's: plain, standard", []storagev1.StorageClass{plain, standard}},
		{"none named, and no default", "{}", "the volumes of StatefulSet store name no storage class, and the cluster has no default one: set store.values.storage.className to one of the cluster's: plain", []storagev1.StorageClass{plain}},
		{"no class at all", "{storageClassName: gp3}", "which the cluster lacks: the cluster has none; install one", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := checkClasses(head+test.claim+"\n", test.classes)
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, test.says)
		})
	}
}
