package installation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

func parsed(t *testing.T, text string) Values {
	t.Helper()
	values := Values{}
	require.NoError(t, yaml.Unmarshal([]byte(text), &values))
	return values
}

func TestAnUpgradeChangesOnlyTheValuesThatRingsideSet(t *testing.T) {
	for name, test := range map[string]struct {
		live, ours, defaults, asked, images string
		want                                string
	}{
		"a new release": {defaults: "scrape: {store: 15s}", asked: "runAs: 0", images: "image: {tag: one}",
			want: "{scrape: {store: 15s}, runAs: 0, image: {tag: one}}"},
		"a value set by helm upgrade --set": {
			live: "{runAs: 0, image: {tag: one}}", ours: "image: {tag: one}", images: "image: {tag: two}",
			want: "{runAs: 0, image: {tag: two}}",
		},
		"a default that the user changed": {
			live: "grafana: {enabled: true}", ours: "grafana: {enabled: false}", defaults: "grafana: {enabled: false}",
			want: "grafana: {enabled: true}",
		},
		"a default that changed, and the user did not": {
			live: "scrape: {store: 15s}", ours: "scrape: {store: 15s}", defaults: "scrape: {store: 20s}",
			want: "scrape: {store: 20s}",
		},
		"a default that is gone": {live: "{scrape: {store: 15s, load: 2s}}", ours: "{scrape: {store: 15s}}",
			want: "{scrape: {load: 2s}}"},
		"a values file of an earlier installation": {
			live: "{runAs: 0, verbose: true}", ours: "{}", asked: "verbose: false",
			want: "{runAs: 0, verbose: false}",
		},
		"an image that is no longer built": {
			live: "images: {digests: {stress: {tag: one}, mine: {tag: x}}}", ours: "images: {digests: {stress: {tag: one}}}",
			images: "images: {digests: {cassandra: {tag: two}}}",
			want:   "images: {digests: {cassandra: {tag: two}, mine: {tag: x}}}",
		},
		"the tag of a built image wins": {
			live: "image: {tag: theirs}", ours: "image: {tag: one}", images: "image: {tag: two}",
			want: "image: {tag: two}",
		},
		"lists are replaced as a whole": {live: "tolerations: [{key: a}]", ours: "{}", asked: "tolerations: [{key: b}]",
			want: "tolerations: [{key: b}]"},
		"null removes a default of the chart": {live: "resources: {limits: null}", ours: "{}",
			want: "resources: {limits: null}"},
		"a release of another tool": {live: "{runAs: 0, image: {tag: one}}", images: "image: {tag: two}",
			want: "{runAs: 0, image: {tag: two}}"},
	} {
		t.Run(name, func(t *testing.T) {
			live := parsed(t, test.live)
			merged, own := Merge(live, parsed(t, test.ours), Layers{Defaults: parsed(t, test.defaults), Asked: parsed(t, test.asked), Images: parsed(t, test.images)})
			assert.Equal(t, parsed(t, test.want), merged)
			assert.Equal(t, parsed(t, test.live), live, "the release's values are not modified")

			again, _ := Merge(merged, own, Layers{Defaults: parsed(t, test.defaults), Images: parsed(t, test.images)})
			assert.Equal(t, merged, again, "the same installation again, without the values files")
		})
	}
}
