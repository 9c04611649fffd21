package storechart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAChartIsToldTheImagesOfItsCompanions(t *testing.T) {
	chart, err := small(t, `ringside.dev/companions: "broker, cron"`)
	require.NoError(t, err)
	images := chart.Images(Images{Registry: "r", Tag: "dev", Digests: map[string]ImageDigests{"small": {Tag: "01"}, "broker": {Tag: "02"}}})
	values, err := Values(&apiextensionsv1.JSON{Raw: []byte(`{"broker": {"enabled": true, "image": "mine"}}`)}, nil, Servers{Types: []string{"calm"}}, images)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"enabled": true, "image": "r/ringside-broker:02"}, values["broker"], "the operator's lies over the document's")
	assert.Equal(t, map[string]any{"image": "r/ringside-cron:dev"}, values["cron"], "under the tag of all, not of the store")
	assert.Equal(t, map[string]any{"registry": "r", "tag": "01", "pullPolicy": ""}, values["image"])
}

func TestAStorePodMayRunACompanion(t *testing.T) {
	chart, err := small(t, `ringside.dev/companions: "broker, cron"`)
	require.NoError(t, err)
	all := Images{Digests: map[string]ImageDigests{"small": {Image: []string{"sha256:a"}, Plugin: "p"}, "broker": {Image: []string{"sha256:b"}}}}
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:a", "sha256:b"}, PluginSHA256: "p"}, chart.Built(all))
	delete(all.Digests, "small")
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:b"}}, chart.Built(all), "only the image that the selected servers need was built")
	assert.Nil(t, chart.Built(Images{}))
}

func TestAChartWithoutCompanionsIsToldOfNone(t *testing.T) {
	chart, err := small(t, "")
	require.NoError(t, err)
	values, err := Values(nil, nil, Servers{Types: []string{"calm"}}, chart.Images(Images{}))
	require.NoError(t, err)
	assert.Len(t, values, 2, "server and image: %v", values)
}
