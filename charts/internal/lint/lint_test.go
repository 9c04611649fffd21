package lint

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/charts/internal/charttest"
)

func charts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../*/Chart.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []string
	for _, file := range files {
		out = append(out, filepath.Dir(file))
	}
	return out
}

func TestEveryChartHasTheMetadataThatACatalogueShows(t *testing.T) {
	for _, folder := range charts(t) {
		assert.Empty(t, Metadata(folder))
	}
}

// Schemas cannot share files, so what stores have in common is in each of them.
func TestStoresDescribeACommonValueAlike(t *testing.T) {
	own := []string{"server", "handler", "workers", "selectors", "heap", "metrics", "counters", "cassandra", "rocksdb"}
	first := map[string]any{}
	for _, folder := range charts(t) {
		chart := charttest.Load(t, folder)
		if chart.Metadata.Annotations["ringside.dev/kind"] != "store" {
			continue
		}
		var schema struct{ Properties map[string]any }
		require.NoError(t, json.Unmarshal(chart.Schema, &schema))
		for name, property := range schema.Properties {
			if known, is := first[name]; is && !slices.Contains(own, name) {
				assert.Equal(t, known, property, "%s in %s", name, folder)
			}
			first[name] = property
		}
	}
	assert.Contains(t, first, "networkPolicy")
}

const good = `apiVersion: v2
name: shop
description: A shop
type: application
version: 1.2.3
appVersion: 4.5.6
kubeVersion: ">=1.35.0-0"
home: https://example.org
sources: [https://example.org/shop]
maintainers: [{name: Ann, url: "https://example.org/ann"}]
keywords: [shop]
`

func TestFindsWhatIsWrongInAChartsMetadata(t *testing.T) {
	for name, test := range map[string]struct{ from, to, says string }{
		"nothing":              {"", "", ""},
		"an unknown field":     {"keywords:", "keyword:", `unknown field "keyword"`},
		"no description":       {"description: A shop\n", "", "description is missing; add it"},
		"no maintainers":       {`maintainers: [{name: Ann, url: "https://example.org/ann"}]` + "\n", "", "maintainers is missing"},
		"a nameless one":       {"name: Ann, ", "", "a maintainer has no name"},
		"a relative home":      {"home: https://example.org", "home: shop", `address "shop": it is not absolute`},
		"no version":           {"version: 1.2.3\n", "", "chart.metadata.version is required"},
		"no semantic version":  {"version: 1.2.3\n", "version: newest\n", `"newest" is invalid`},
		"another folder":       {"name: shop", "name: stall", `name is "stall"; use the name of the folder`},
		"an old form":          {"apiVersion: v2", "apiVersion: v1", `apiVersion is "v1"; use v2`},
		"no Kubernetes":        {`kubeVersion: ">=1.35.0-0"` + "\n", "", "kubeVersion is missing"},
		"no list of sources":   {"sources: [https://example.org/shop]\n", "", "sources is missing"},
		"an insecure address":  {"sources: [https:", "sources: [http:", "it is not absolute"},
		"maintainers in words": {`[{name: Ann, url: "https://example.org/ann"}]`, "Ann", "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "shop")
			require.NoError(t, os.Mkdir(folder, 0o755))
			text := good
			if test.from != "" {
				require.Contains(t, good, test.from)
				text = strings.ReplaceAll(good, test.from, test.to)
			}
			write(t, folder, "Chart.yaml", text)
			for _, file := range []string{"values.yaml", "values.schema.json", ".helmignore"} {
				write(t, folder, file, "")
			}
			problems := Metadata(folder)
			if test.says == "" {
				assert.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			assert.ErrorContains(t, problems[0], test.says)
		})
	}
}

func TestNamesTheFilesThatAChartLacks(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "shop")
	require.NoError(t, os.Mkdir(folder, 0o755))
	write(t, folder, "Chart.yaml", good)
	assert.Len(t, Metadata(folder), 3)
}

func write(t *testing.T, folder, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644))
}

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
