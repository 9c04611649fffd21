package operator

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCommandLineNamesWhatIsWrong(t *testing.T) {
	t.Setenv("POD_NAMESPACE", "")
	stores := "--charts-dir=../storechart/testdata/charts"
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--meter-image=m", stores}, "--namespace (or POD_NAMESPACE) is missing"},
		{[]string{"--namespace=n", stores}, "--meter-image is missing"},
		{[]string{"--namespace=n", "--meter-image=m", stores, "--image-pull-policy=Sometimes"}, `--image-pull-policy is "Sometimes", use Always, IfNotPresent or Never`},
		{[]string{"--namespace=n", "--meter-image=m", "--charts-dir=nowhere"}, "--charts-dir nowhere: "},
		{[]string{"--namespace=n", "--meter-image=m", "--charts-dir=../storechart/testdata/charts/plain"}, "has no store chart"},
		{[]string{"--namespace=n", "--meter-image=m", stores, "--loads-dir=nowhere"}, "--loads-dir nowhere has no load"},
		{[]string{"extra"}, `unexpected argument "extra"`},
	} {
		t.Run(fmt.Sprint(test.args), func(t *testing.T) {
			_, err := ParseOptions(test.args)
			assert.ErrorContains(t, err, test.says)
		})
	}
	options, err := ParseOptions([]string{"--namespace=n", "--meter-image=m", stores, "--loads-dir=../../../images", "--image-pull-secrets=a", "--image-pull-secrets=b",
		"--store-charts=oci://a.example/x", "--store-charts=oci://b.example", "--store-chart-mirrors=a.example=10.0.0.1:5000"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"oci://a.example/x", "oci://b.example"}, options.StoreCharts)
	assert.Equal(t, map[string]string{"a.example": "10.0.0.1:5000"}, options.StoreMirrors)
	assert.Equal(t, []string{"a", "b"}, options.Images.PullSecrets)
}
