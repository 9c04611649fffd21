package convert_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/randfill"

	"ringside.dev/ringside/operators/api/convert"
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/api/v1beta1"
)

// Any experiment, valid or not, comes back as it was.
func FuzzRoundTrips(f *testing.F) {
	source := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		data := make([]byte, 1+source.IntN(4000))
		for i := range data {
			data[i] = byte(source.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		filled := randfill.NewFromGoFuzz(data).NilChance(0.4).NumElements(1, 3).Funcs(
			func(d *metav1.Duration, c randfill.Continue) { d.Duration = time.Duration(c.Int63()) },
			func(q *resource.Quantity, c randfill.Continue) {
				*q = *resource.NewQuantity(c.Int63(), resource.DecimalSI)
			},
			func(at *metav1.Time, c randfill.Continue) { *at = metav1.Unix(c.Int63n(1<<32), 0) },
			func(v *apiextensionsv1.JSON, _ randfill.Continue) { v.Raw = []byte(`{"a":[1,{"b":"60s"}]}`) },
			func(kind *v1beta1.PhaseType, c randfill.Continue) {
				all := append(v1beta1.PhaseTypes(), "", "Other")
				*kind = all[c.Int63n(int64(len(all)))]
			},
			func(p *v1beta1.PrecisionStatus, c randfill.Continue) { p.Widest = "2.5%" }, // the schema requires the unit
		)
		var old v1alpha1.Experiment
		filled.Fill(&old.Spec)
		filled.Fill(&old.Status)
		old.APIVersion = alpha
		again := converted[v1alpha1.Experiment](t, converted[v1beta1.Experiment](t, old, beta), alpha)
		assert.Equal(t, encoded(t, old), encoded(t, again))

		var next v1beta1.Experiment
		filled.Fill(&next.Spec)
		filled.Fill(&next.Status)
		next.APIVersion = beta
		forth := converted[v1beta1.Experiment](t, converted[v1alpha1.Experiment](t, next, alpha), beta)
		assert.Equal(t, encoded(t, next), encoded(t, forth))
	})
}

func converted[To any](t *testing.T, from any, version string) (to To) {
	t.Helper()
	text, err := convert.JSON([]byte(encoded(t, from)), version)
	require.NoError(t, err)
	require.NoError(t, utiljson.Unmarshal(text, &to))
	return to
}

func encoded(t *testing.T, object any) string {
	t.Helper()
	text, err := json.MarshalIndent(object, "", " ")
	require.NoError(t, err)
	return string(text)
}
