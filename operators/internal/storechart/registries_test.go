package storechart

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart/pushed"
)

const ledger = testCharts + "/ledger"

func TestAChartOfARegistryIsTheOneThatWasPushed(t *testing.T) {
	host, stop := pushed.Registry(t)
	reference := pushed.Chart(t, host, ledger, nil)
	catalogue := NewCatalogue(testCharts).With(NewRegistries([]string{"oci://" + host + "/charts"}, nil))
	chart, err := catalogue.Open(reference)
	require.NoError(t, err)
	own := open(t)
	assert.Equal(t, own.Name(), chart.Name())
	assert.Equal(t, own.ServerTypes(), chart.ServerTypes())
	assert.Equal(t, own.Helm().Schema, chart.Helm().Schema)
	assert.Equal(t, reference, chart.Where())
	assert.True(t, strings.HasSuffix(reference, "@"+chart.Digest()), chart.Digest())
	assert.Empty(t, own.Digest())

	stop()
	again, err := catalogue.Open(reference)
	require.NoError(t, err, "a run continues while the registry is down")
	assert.NotSame(t, chart.Helm(), again.Helm(), "Helm changes the charts that it installs")
}

func TestTheOperatorSetsNoImageOfAChartOfARegistry(t *testing.T) {
	host, _ := pushed.Registry(t)
	chart, err := Catalogue{}.With(AllRegistries()).Open(pushed.Chart(t, host, ledger, nil))
	require.NoError(t, err)
	images := Images{Registry: "r", Tag: "t", PullPolicy: "Never", PullSecrets: []string{"s"}, Digests: map[string]ImageDigests{"ledger": {Image: []string{"sha256:a"}}}}
	values, err := Values(nil, nil, Servers{Types: []string{"hsha"}}, chart.Images(images))
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"server": map[string]any{"types": []any{"hsha"}}}, values)
	found, err := OverriddenBy(&JSON{Raw: []byte(`{"image": {"tag": "mine"}, "server": {"types": []}}`)}, chart.Images(images))
	require.NoError(t, err)
	assert.Equal(t, []Overridden{{"server.types", "[]"}}, found)
	assert.Nil(t, chart.Built(images))
	assert.Equal(t, "helm show values "+chart.Where(), chart.ValuesFile())
}

func TestAChartIsPulledFromTheAddressOfItsRegistrysMirror(t *testing.T) {
	host, _ := pushed.Registry(t)
	reference := strings.Replace(pushed.Chart(t, host, ledger, nil), host, "localhost:1", 1)
	chart, err := Catalogue{}.With(NewRegistries([]string{"oci://localhost:1"}, map[string]string{"localhost:1": host})).Open(reference)
	require.NoError(t, err)
	assert.Equal(t, reference, chart.Where())
}

// The login is that of docker and helm, under the name that people use.
func TestLogsInToTheRegistryByTheNameInTheReference(t *testing.T) {
	host, _ := pushed.Registry(t)
	backend, err := url.Parse("http://" + host)
	require.NoError(t, err)
	behind := httputil.NewSingleHostReverseProxy(backend)
	guarded := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "somebody" || password != "s3cret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		behind.ServeHTTP(w, r)
	}))
	t.Cleanup(guarded.Close)
	reference := strings.Replace(pushed.Chart(t, host, ledger, nil), host, "registry.example", 1)
	catalogue := Catalogue{}.With(NewRegistries([]string{"oci://registry.example"}, map[string]string{"registry.example": strings.TrimPrefix(guarded.URL, "http://")}))
	config := t.TempDir()
	t.Setenv("DOCKER_CONFIG", config)
	_, err = catalogue.Open(reference)
	require.ErrorContains(t, err, "denies access: log in with helm registry login")
	require.NoError(t, os.WriteFile(filepath.Join(config, "config.json"), []byte(`{"auths": {"registry.example": {"username": "somebody", "password": "s3cret"}}}`), 0o600))
	_, err = catalogue.Open(reference)
	require.NoError(t, err)
}

func TestAllowsAPlaceAndAllBelowIt(t *testing.T) {
	registries := NewRegistries([]string{"oci://registry.example/team", "oci://other.example/"}, nil)
	for reference, want := range map[string]bool{
		"oci://registry.example/team/postgres@sha256:1":     true,
		"oci://registry.example/team/sub/postgres@sha256:1": true,
		"oci://registry.example/team@sha256:1":              true,
		"oci://registry.example/teams/postgres@sha256:1":    false,
		"oci://registry.example/postgres@sha256:1":          false,
		"oci://registry.example.org/team/x@sha256:1":        false,
		"oci://other.example/postgres@sha256:1":             true,
		"oci://other.example:5000/postgres@sha256:1":        false,
	} {
		assert.Equal(t, want, registries.allows(reference), reference)
	}
	assert.True(t, AllRegistries().allows("oci://any.example/postgres@sha256:1"))
	assert.False(t, NewRegistries(nil, nil).allows("oci://any.example/postgres@sha256:1"))
}

const digestOfNothing = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestAChartOfARegistryThatCannotBeUsedIsRejectedInOneLine(t *testing.T) {
	host, _ := pushed.Registry(t)
	silent, stop := pushed.Registry(t)
	stop()
	denies := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(denies.Close)
	closed := strings.TrimPrefix(denies.URL, "http://")
	here := "oci://" + host + "/charts/"
	good := pushed.Chart(t, host, ledger, nil)
	unmarked := pushed.Chart(t, host, ledger, map[string]string{"Chart.yaml": "{apiVersion: v2, name: ledger, version: 0.2.0}"})
	open := pushed.Chart(t, host, ledger, map[string]string{"values.schema.json": ""})
	mute := pushed.Chart(t, host, ledger, map[string]string{"values.schema.json": "{}"})
	renamed := pushed.Chart(t, host, ledger, map[string]string{"Chart.yaml": "{apiVersion: v2, name: ledger, version: 0.3.0, annotations: {ringside.dev/kind: store}}"})
	for name, test := range map[string]struct {
		reference string
		reason    v1beta1.Reason
		says      string
	}{
		"no digest": {here + "ledger", v1beta1.RefusedInvalidField,
			"chart " + here + "ledger has no digest: use oci://registry/repository/name@sha256:digest, without a tag; helm push prints the digest"},
		"a tag": {here + "ledger:0.1.0", v1beta1.RefusedInvalidField,
			"chart " + here + "ledger:0.1.0 has no digest: use oci://registry/repository/name@sha256:digest, without a tag; helm push prints the digest"},
		"half a digest": {here + "ledger@sha256:12", v1beta1.RefusedInvalidField,
			"chart " + here + "ledger@sha256:12 is no reference of a chart: use oci://registry/repository/name@sha256:digest, without a tag; helm push prints the digest"},
		"a way out of an allowed place": {here + "../ledger@" + digestOfNothing, v1beta1.RefusedInvalidField,
			"chart " + here + "../ledger@" + digestOfNothing + " is no reference of a chart: use oci://registry/repository/name@sha256:digest, without a tag; helm push prints the digest"},
		"a place that is not allowed": {"oci://elsewhere.example/ledger@" + digestOfNothing, v1beta1.RefusedChartNotAllowed,
			"chart oci://elsewhere.example/ledger@" + digestOfNothing + " is not allowed: the operator installs only charts below oci://" + host + ", oci://" + silent + ", oci://" + closed +
				": add its place to storeCharts.allowed of charts/ringside, or choose another chart"},
		"a registry that does not answer": {"oci://" + silent + "/ledger@" + digestOfNothing, v1beta1.RefusedChartUnavailable,
			"chart oci://" + silent + "/ledger@" + digestOfNothing + ": registry " + silent + " does not answer (dial tcp " + silent + ": connect: connection refused): check its name and the network"},
		"a registry that denies access": {"oci://" + closed + "/ledger@" + digestOfNothing, v1beta1.RefusedChartUnavailable,
			"chart oci://" + closed + "/ledger@" + digestOfNothing + ": registry " + closed + " denies access: log in with helm registry login; the operator logs in with storeCharts.pullSecret of charts/ringside"},
		"a digest that does not exist": {here + "ledger@" + digestOfNothing, v1beta1.RefusedUnknownStore,
			"chart " + here + "ledger@" + digestOfNothing + " does not exist in registry " + host + ": check name and digest; helm push prints both"},
		"an image": {image(t, host), v1beta1.RefusedContractViolated, "cannot be used: it is no Helm chart: push it with helm push"},
		"another name": {strings.Replace(retagged(t, renamed), "/ledger@", "/journal@", 1), v1beta1.RefusedContractViolated,
			"is not the chart of a store: Chart.yaml names it ledger: the last part of its repository must be its name: see docs/reference/store-contract.md"},
		"the chart of no store": {unmarked, v1beta1.RefusedContractViolated,
			"chart " + unmarked + " is not the chart of a store: Chart.yaml has no annotation ringside.dev/kind: store: see docs/reference/store-contract.md"},
		"no schema": {open, v1beta1.RefusedContractViolated,
			"chart " + open + " is not the chart of a store: it has no values.schema.json, which lists its servers and values: see docs/reference/store-contract.md"},
		"a schema without servers": {mute, v1beta1.RefusedContractViolated,
			"store chart ledger cannot be used: its values.schema.json has no enum of server.types: see docs/reference/store-contract.md"},
	} {
		t.Run(name, func(t *testing.T) {
			registries := NewRegistries([]string{"oci://" + host, "oci://" + silent, "oci://" + closed}, nil)
			_, err := NewCatalogue(testCharts).With(registries).Open(test.reference)
			var found problem.Problem
			require.ErrorAs(t, err, &found)
			assert.Equal(t, test.reason, found.Reason)
			assert.True(t, strings.HasSuffix(err.Error(), test.says), err.Error())
			assert.NotContains(t, err.Error(), "\n")
		})
	}

	_, err := NewCatalogue(testCharts).Open(good)
	assert.EqualError(t, err, "chart "+good+" is not allowed: the operator installs no charts of registries: add its place to storeCharts.allowed of charts/ringside, or choose another chart")
}

// image pushes an image that is no chart, and returns its reference.
func image(t *testing.T, host string) string {
	t.Helper()
	image, err := random.Image(100, 1)
	require.NoError(t, err)
	tag, err := name.NewTag(host + "/charts/picture:1")
	require.NoError(t, err)
	require.NoError(t, remote.Write(tag, image))
	digest, err := image.Digest()
	require.NoError(t, err)
	return "oci://" + host + "/charts/picture@" + digest.String()
}

// retagged pushes the chart of a reference to the repository journal as well.
func retagged(t *testing.T, reference string) string {
	t.Helper()
	digest, err := name.NewDigest(strings.TrimPrefix(reference, "oci://"))
	require.NoError(t, err)
	found, err := remote.Get(digest)
	require.NoError(t, err)
	copied, err := found.Image()
	require.NoError(t, err)
	tag, err := name.NewTag(strings.Replace(digest.Context().Name(), "/ledger", "/journal", 1) + ":1")
	require.NoError(t, err)
	require.NoError(t, remote.Write(tag, copied))
	return reference
}

func TestARegistryThatChangesAChartIsDiscovered(t *testing.T) {
	host, _ := pushed.Registry(t)
	reference := pushed.Chart(t, host, ledger, nil)
	other := pushed.Chart(t, host, ledger, map[string]string{"values.yaml": "nodes: 7"})
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.Replace(r.URL.Path, reference[strings.LastIndex(reference, "@")+1:], other[strings.LastIndex(other, "@")+1:], 1)
		answer, err := http.Get("http://" + host + path)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		defer answer.Body.Close()
		w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(w, answer.Body)
	}))
	t.Cleanup(liar.Close)
	address := strings.TrimPrefix(liar.URL, "http://")
	_, err := Catalogue{}.With(NewRegistries([]string{"oci://" + host}, map[string]string{host: address})).Open(reference)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "registry "+address+" sends something else (")
	assert.Contains(t, err.Error(), "does not match requested digest")
}

func TestSaysWhatWasBuiltOfAnImage(t *testing.T) {
	digests, err := ParseDigests(`{"cassandra": {"image": ["sha256:c0", "sha256:m0"], "plugin": "ab"}, "stress": {"image": ["sha256:c1"]}}`)
	require.NoError(t, err)
	images := Images{Registry: "ringside.local", Tag: "dev", Digests: digests}
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:c0", "sha256:m0"}, PluginSHA256: "ab"}, images.Built("cassandra"))
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:c1"}}, images.Built("stress"))
	assert.Nil(t, images.Built("ycsb"), "nobody said")
	assert.Nil(t, images.Built("registry.example/mine:1"))
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:f0"}}, images.Built("registry.example/mine@sha256:f0"), "the reference itself says")
}

func TestAnImageHasTheTagUnderWhichItWasBuilt(t *testing.T) {
	images := Images{Registry: "r", Tag: "dev", Digests: map[string]ImageDigests{"stress": {Tag: "0123"}, "ycsb": {}}}
	assert.Equal(t, "r/ringside-stress:0123", images.Reference("stress"))
	assert.Equal(t, "0123", images.For("stress").Tag)
	assert.Equal(t, "r/ringside-ycsb:dev", images.Reference("ycsb"))
	assert.Equal(t, "r/ringside-cassandra:dev", images.Reference("cassandra"))
}

func TestRefusesDigestsThatCannotBeRead(t *testing.T) {
	none, err := ParseDigests("")
	require.NoError(t, err)
	assert.Nil(t, none)
	_, err = ParseDigests(`{"cassandra": "sha256:c0"}`)
	assert.ErrorContains(t, err, "read the images' digests")
}

func TestStoresLogInToTheRegistryAsTheOperatorDoes(t *testing.T) {
	values, err := Values(nil, nil, Servers{Types: []string{"calm"}}, Images{PullSecrets: []string{"ours", "another"}})
	require.NoError(t, err)
	assert.Equal(t, []any{map[string]any{"name": "ours"}, map[string]any{"name": "another"}}, values["imagePullSecrets"])
}
