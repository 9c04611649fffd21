package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestShowsWhatAStoreWroteReadAndKept(t *testing.T) {
	taken := map[string]int{}
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation != "read" || m.Spec.Server == "xedin" {
			return
		}
		taken[m.Spec.Server]++
		amplification := v1beta1.Decimal("4.000")
		if taken[m.Spec.Server] == 1 {
			amplification = "1.000"
		}
		m.Status.Result.StoreIO = &v1beta1.StoreIO{WriteAmplification: amplification, SpaceAmplification: "1.200", WrittenPerOp: "333.3"}
	})
	text, page := render(t, folder)
	require.Len(t, page.StoreIO, 2, "of xedin, and of writes, nothing is known")
	shown := tableOf(t, text, "storeio")
	require.Len(t, shown, 3)
	for i, row := range page.StoreIO {
		cells := shown[i+1]
		assert.Equal(t, []string{row.Server, "read", "333.3", "3.000", "", "1.200", "3"}, cells)
	}
	plain, page := render(t, dedicated(t, nil))
	assert.Empty(t, page.StoreIO)
	assert.NotContains(t, plain, "Written, read and kept")
}
