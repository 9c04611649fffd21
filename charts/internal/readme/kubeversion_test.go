package readme

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/charts/internal/charttest"
)

func TestEveryChartStatesTheOldestKubernetesThatIsTested(t *testing.T) {
	for _, folder := range folders(t) {
		assert.Equal(t, fmt.Sprintf(">=1.%d.0-0", charttest.Oldest), charttest.Load(t, folder).Metadata.KubeVersion, folder)
	}
}
