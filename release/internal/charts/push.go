package charts

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/registry"
)

// Client returns a client of the registry in a reference, with the logins of helm and docker. A registry on this machine is used without TLS, as
// Docker does.
func Client(reference string) (*registry.Client, error) {
	options := []registry.ClientOption{registry.ClientOptWriter(io.Discard)}
	if local(reference) {
		options = append(options, registry.ClientOptPlainHTTP())
	}
	client, err := registry.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", reference, err)
	}
	return client, nil
}

func local(reference string) bool {
	host, _, _ := strings.Cut(reference, "/")
	name, _, _ := strings.Cut(host, ":")
	return name == "localhost" || name == "127.0.0.1"
}

// Push pushes the archive of a chart below a reference, as in registry.example/ringside/charts, and returns the chart's reference by digest.
func Push(client *registry.Client, archive, below string, at time.Time) (string, error) {
	data, err := os.ReadFile(archive)
	if err != nil {
		return "", fmt.Errorf("push a chart: %w", err)
	}
	chart, err := loader.LoadFile(archive)
	if err != nil {
		return "", fmt.Errorf("push chart %s: %w", archive, err)
	}
	repository := below + "/" + chart.Name()
	reference := repository + ":" + chart.Metadata.Version
	result, err := client.Push(data, reference, registry.PushOptCreationTime(at.UTC().Format(time.RFC3339)))
	if err != nil {
		return "", fmt.Errorf("push %s to %s: %w", archive, reference, err)
	}
	return repository + "@" + result.Manifest.Digest, nil
}
