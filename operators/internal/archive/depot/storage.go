package depot

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	// dialPatience and tries bound the wait for a storage that does not answer.
	dialPatience = 10 * time.Second
	tries        = 5
	// amazon is the default storage.
	amazon = "https://s3.amazonaws.com"
)

// storage is the storage that AWS's own variables and files select.
type storage struct {
	endpoint    url.URL
	region      string
	credentials *credentials.Credentials
	tries       int
}

func storageFromEnvironment() (storage, error) {
	text := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), amazon)
	endpoint, err := url.Parse(text)
	if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" || endpoint.User != nil || endpoint.RawQuery != "" || len(endpoint.Path) > 1 {
		return storage{}, fmt.Errorf("AWS_ENDPOINT_URL must have only a scheme, a host and a port: use one as in https://storage.example:9000") // the value is not shown because it may have a password in it
	}
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	for _, variable := range []string{"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		if os.Getenv(variable) != "" { // only if configured: outside a cloud, the request for credentials would wait for an unreachable address
			providers = append(providers, &credentials.IAM{})
			break
		}
	}
	return storage{
		endpoint: *endpoint, region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		credentials: credentials.NewChainCredentials(providers), tries: tries,
	}, nil
}

func (s storage) open(name, prefix string) (*bucket, error) {
	secure := s.endpoint.Scheme == "https"
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, fmt.Errorf("sending a request to the storage at %s: %w", s.endpoint.Host, err)
	}
	transport.DialContext = (&net.Dialer{Timeout: dialPatience}).DialContext
	client, err := minio.New(s.endpoint.Host, &minio.Options{
		Creds: s.credentials, Secure: secure, Region: s.region, MaxRetries: s.tries, Transport: transport,
	})
	if err != nil {
		return nil, fmt.Errorf("sending a request to the storage at %s: %w", s.endpoint.Host, err)
	}
	return &bucket{client: client, name: name, prefix: prefix, storage: s}, nil
}

// anonymous reports whether no credentials were found.
func (s storage) anonymous() bool {
	found, err := s.credentials.GetWithContext(nil)
	return err != nil || found.SignerType.IsAnonymous()
}
