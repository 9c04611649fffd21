package controller

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func measuredOn(node string) *v1alpha1.Measurement {
	m := &v1alpha1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "meter"}}}}
	m.Status.Proof = &v1alpha1.Proof{Server: "hsha", Environment: map[string]string{"jvm": "8"}}
	m.Status.Environment = &v1alpha1.Environment{StoreNodes: []v1alpha1.NodeInfo{{Name: node}}, LoadNodes: []v1alpha1.NodeInfo{{Name: node}}, Store: map[string]string{"jvm": "8"}}
	return m
}

// held is what the cache holds of a measurement.
func held(t *testing.T, lean func(any) (any, error), m *v1alpha1.Measurement) *v1alpha1.Measurement {
	kept, err := lean(m.DeepCopy())
	require.NoError(t, err)
	return kept.(*v1alpha1.Measurement)
}

func TestWhatMeasurementsHaveAlikeIsHeldOnce(t *testing.T) {
	lean := leaner()
	first, second, other := held(t, lean, measuredOn("node1")), held(t, lean, measuredOn("node1")), held(t, lean, measuredOn("node2"))
	for _, m := range []*v1alpha1.Measurement{first, second, other} {
		want := measuredOn(m.Status.Environment.StoreNodes[0].Name)
		want.ManagedFields = nil
		assert.Equal(t, want, m, "nothing else is another")
	}
	assert.Same(t, unsafe.SliceData(first.Status.Environment.StoreNodes), unsafe.SliceData(second.Status.Environment.LoadNodes))
	assert.NotSame(t, unsafe.SliceData(first.Status.Environment.StoreNodes), unsafe.SliceData(other.Status.Environment.StoreNodes))
	first.Status.Proof.Environment["jvm"] = "seen by all"
	assert.Equal(t, "seen by all", other.Status.Environment.Store["jvm"])
}

func TestAMeasurementThatHasNotRunIsHeldAsItIs(t *testing.T) {
	m := &v1alpha1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m"}}
	assert.Equal(t, m, held(t, leaner(), m))
	e := &v1alpha1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "e"}}
	kept, err := leaner()(e)
	require.NoError(t, err)
	assert.Same(t, e, kept)
}

func TestTheValuesOfTheLatestRunsAreRemembered(t *testing.T) {
	all := &alike[[]string]{equal: slices.Equal[[]string]}
	value := func(i int) []string { return []string{fmt.Sprint(i)} }
	first := all.one(value(0))
	for i := range 10 * remembered {
		all.one(value(i % remembered)) // as many as there is room for
	}
	assert.Same(t, &first[0], &all.one(value(0))[0])
	for i := range remembered {
		all.one(value(remembered + i))
	}
	assert.NotSame(t, &first[0], &all.one(value(0))[0], "it was not asked for in a long time")
	assert.Len(t, all.latest, remembered)
	none := &alike[map[string]string]{equal: maps.Equal[map[string]string, map[string]string]}
	assert.Nil(t, none.one(nil))
}
