package lint

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

// categories are those of Artifact Hub.
var categories = []string{"ai-machine-learning", "database", "integration-delivery", "monitoring-logging", "networking", "security", "storage", "streaming-messaging"}

func TestEveryChartStatesTheOldestKubernetesThatIsTested(t *testing.T) {
	for _, folder := range charts(t) {
		assert.Equal(t, fmt.Sprintf(">=1.%d.0-0", charttest.Oldest), charttest.Load(t, folder).Metadata.KubeVersion, folder)
	}
}

func TestArtifactHubIsToldWhatEachChartRuns(t *testing.T) {
	for _, folder := range charts(t) {
		metadata := charttest.Load(t, folder).Metadata
		if metadata.Type == "library" { // published within the charts that use it
			continue
		}
		annotations := metadata.Annotations
		assert.Equal(t, "Apache-2.0", annotations["artifacthub.io/license"], folder)
		assert.Contains(t, categories, annotations["artifacthub.io/category"], folder)
		var told []struct{ Name, Image string }
		require.NoError(t, yaml.UnmarshalStrict([]byte(annotations["artifacthub.io/images"]), &told), folder)
		var images []string
		for _, one := range told {
			assert.NotEmpty(t, one.Name, folder)
			images = append(images, one.Image)
		}
		assert.ElementsMatch(t, imagesOf(t, folder), images, "%s: artifacthub.io/images in Chart.yaml has every image that the chart runs by default", folder)
	}
}

// imagesOf returns the images of a chart's containers with its default values.
func imagesOf(t *testing.T, folder string) []string {
	t.Helper()
	objects, err := charttest.Render(t, folder, "")
	require.NoError(t, err)
	images := map[string]bool{}
	for _, object := range objects {
		collectImages(object.Object, images)
	}
	return slices.Collect(maps.Keys(images))
}

func collectImages(part any, into map[string]bool) {
	switch part := part.(type) {
	case map[string]any:
		for _, key := range []string{"containers", "initContainers"} {
			containers, _ := part[key].([]any)
			for _, container := range containers {
				if fields, is := container.(map[string]any); is {
					if image, is := fields["image"].(string); is {
						into[image] = true
					}
				}
			}
		}
		for _, inner := range part {
			collectImages(inner, into)
		}
	case []any:
		for _, inner := range part {
			collectImages(inner, into)
		}
	}
}
