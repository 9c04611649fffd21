package storechart

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"helm.sh/helm/v4/pkg/registry"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

const (
	// pullLimit bounds the time in which a registry must answer.
	pullLimit = 15 * time.Second
	// maxArchive bounds the size of a packaged chart. Helm keeps the chart in a ConfigMap with its release, which cannot be larger.
	maxArchive = 1 << 20
	// maxKept is how many charts are kept in memory.
	maxKept = 16
)

// Registries are the places in registries from which charts may come. A chart that was pulled stays in memory, so that a run continues while its
// registry is down.
type Registries struct {
	// allowed are the places, as in oci://registry.example/team: registries, or repositories and all below them.
	allowed []string
	// mirrors are the addresses at which registries are reached that have another name elsewhere.
	mirrors map[string]string

	lock sync.Mutex
	kept map[string][]byte // by reference
}

// NewRegistries returns the registries with the allowed places, and the addresses of registries that are reached at another one.
func NewRegistries(allowed []string, mirrors map[string]string) *Registries {
	return &Registries{allowed: allowed, mirrors: mirrors, kept: map[string][]byte{}}
}

// AllRegistries returns registries that allow every place, for checks before the operator's own.
func AllRegistries() *Registries { return NewRegistries([]string{v1beta1.RegistryScheme}, nil) }

// allows reports whether a reference is in an allowed place.
func (r *Registries) allows(reference string) bool {
	for _, place := range r.allowed {
		place = strings.TrimSuffix(place, "/")
		if strings.HasPrefix(reference, place+"/") || strings.HasPrefix(reference, place+"@") {
			return true
		}
	}
	return false
}

// archive returns the packaged chart of a reference. What is wrong with the reference or the registry is a problem.
func (r *Registries) archive(reference string) ([]byte, error) {
	digest, err := parseReference(reference)
	if err != nil {
		return nil, err
	}
	if !r.allows(reference) {
		return nil, r.refusal(reference)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if kept, is := r.kept[reference]; is {
		return kept, nil
	}
	at, err := r.reachedAt(digest)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), pullLimit)
	defer cancel()
	content, err := pull(ctx, at, digest.Context())
	if err != nil {
		return nil, pullProblem(reference, at, err)
	}
	if len(r.kept) >= maxKept {
		clear(r.kept)
	}
	r.kept[reference] = content
	return content, nil
}

func (r *Registries) refusal(reference string) error {
	what := "the operator installs no charts of registries"
	if len(r.allowed) > 0 {
		what = "the operator installs only charts below " + strings.Join(r.allowed, ", ")
	}
	return problem.New("add its place to storeCharts.allowed of charts/ringside, or choose another chart", "chart %s is not allowed: %s", reference, what).Because(v1beta1.RefusedChartNotAllowed)
}

var referencePattern = regexp.MustCompile(v1beta1.ChartReference)

// parseReference parses a reference with a digest. With a tag alone, the chart could change between two runs.
func parseReference(reference string) (name.Digest, error) {
	digest, err := name.NewDigest(strings.TrimPrefix(reference, v1beta1.RegistryScheme), name.StrictValidation)
	if err == nil && referencePattern.MatchString(reference) {
		return digest, nil
	}
	lacks := "is no reference of a chart"
	if !strings.Contains(reference, "@") {
		lacks = "has no digest"
	}
	return name.Digest{}, problem.New("use oci://registry/repository/name@sha256:digest, without a tag; helm push prints the digest", "chart %s %s", reference, lacks).Because(v1beta1.RefusedInvalidField)
}

// reachedAt returns the reference under which a chart is pulled.
func (r *Registries) reachedAt(digest name.Digest) (name.Digest, error) {
	mirror, is := r.mirrors[digest.Context().RegistryStr()]
	if !is {
		return digest, nil
	}
	at, err := name.NewDigest(mirror + "/" + digest.Context().RepositoryStr() + "@" + digest.DigestStr())
	if err != nil {
		return name.Digest{}, problem.New("use an address such as registry.example:5000", "registry %s of storeCharts.mirrors has the address %q", digest.Context().RegistryStr(), mirror).
			Because(v1beta1.RefusedChartUnavailable)
	}
	return at, nil
}

// errNotAChart reports content of a registry that is no packaged chart.
var errNotAChart = errors.New("it is no Helm chart")

// pull returns the packaged chart of a digest, with the login to a repository. The library verifies the digests of all that it reads.
func pull(ctx context.Context, digest name.Digest, loginTo name.Repository) ([]byte, error) {
	login, err := authn.DefaultKeychain.Resolve(loginTo)
	if err != nil {
		return nil, err
	}
	options := []remote.Option{remote.WithContext(ctx), remote.WithAuth(login), remote.WithUserAgent("ringside"),
		remote.WithRetryBackoff(remote.Backoff{Duration: time.Second, Factor: 3, Steps: 2})}
	found, err := remote.Get(digest, options...)
	if err != nil {
		return nil, err
	}
	manifest, err := v1.ParseManifest(bytes.NewReader(found.Manifest))
	if err != nil || string(manifest.Config.MediaType) != registry.ConfigMediaType {
		return nil, errNotAChart
	}
	for _, layer := range manifest.Layers {
		if string(layer.MediaType) != registry.ChartLayerMediaType {
			continue // as a provenance file
		}
		if layer.Size > maxArchive {
			return nil, fmt.Errorf("%w that can be installed: it has %d bytes, more than %d", errNotAChart, layer.Size, maxArchive)
		}
		blob, err := remote.Layer(digest.Context().Digest(layer.Digest.String()), options...)
		if err != nil {
			return nil, err
		}
		reader, err := blob.Compressed()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(io.LimitReader(reader, maxArchive+1))
		if len(content) > maxArchive {
			err = errNotAChart // and has another size than its manifest states
		}
		return content, errors.Join(err, reader.Close())
	}
	return nil, errNotAChart
}

// pullProblem describes in one line why a chart could not be pulled.
func pullProblem(reference string, at name.Digest, err error) error {
	host := at.Context().RegistryStr()
	answered := (*transport.Error)(nil)
	switch {
	case errors.Is(err, errNotAChart):
		return problem.New("push it with helm push", "chart %s cannot be used: %s", reference, err).Because(v1beta1.RefusedContractViolated)
	case errors.As(err, &answered) && answered.StatusCode == http.StatusNotFound:
		return problem.New("check name and digest; helm push prints both", "chart %s does not exist in registry %s", reference, host).Because(v1beta1.RefusedUnknownStore)
	case errors.As(err, &answered) && (answered.StatusCode == http.StatusUnauthorized || answered.StatusCode == http.StatusForbidden):
		return problem.New("log in with helm registry login; the operator logs in with storeCharts.pullSecret of charts/ringside", "chart %s: registry %s denies access", reference, host).
			Because(v1beta1.RefusedChartUnavailable)
	case errors.As(err, &answered):
		return problem.New("try again later", "chart %s: registry %s answers with status %d", reference, host, answered.StatusCode).Because(v1beta1.RefusedChartUnavailable)
	}
	unreached := (*url.Error)(nil) // whose text has the address of each request
	if errors.As(err, &unreached) {
		return problem.New("check its name and the network", "chart %s: registry %s does not answer (%s)", reference, host, unreached.Err).Because(v1beta1.RefusedChartUnavailable)
	}
	return problem.New("use another registry", "chart %s: registry %s sends something else (%s)", reference, host, err).Because(v1beta1.RefusedChartUnavailable)
}
