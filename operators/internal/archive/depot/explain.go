package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// absent reports whether an object does not exist, although its bucket does.
func absent(err error) bool {
	response := minio.ErrorResponse{}
	return errors.As(err, &response) && response.Code == minio.NoSuchKey
}

// explain converts an error of the storage into one line with a fix.
func (b *bucket) explain(err error) error {
	if err == nil {
		return nil
	}
	return explain(err, b.name, b.storage.endpoint.Host, b.storage.anonymous())
}

func explain(err error, bucket, host string, anonymous bool) error {
	response := minio.ErrorResponse{}
	unreached := (*url.Error)(nil)
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case absent(err):
		return fs.ErrNotExist
	case errors.As(err, &response):
		return explainResponse(response, bucket, host, anonymous)
	case errors.As(err, &unreached):
		return unavailable(fmt.Sprintf("the storage at %s does not answer (%s)", host, textfmt.FirstLine(unreached.Err)), "AWS_ENDPOINT_URL chooses another")
	}
	return err
}

func explainResponse(r minio.ErrorResponse, bucket, host string, anonymous bool) error {
	said := strings.TrimSpace(r.Code + " " + textfmt.FirstLine(r))
	switch {
	case r.Code == minio.NoSuchBucket || r.Code == minio.InvalidBucketName:
		return unavailable(fmt.Sprintf("there is no bucket %s at %s", bucket, host), "create it, or use another; AWS_ENDPOINT_URL chooses another storage")
	case r.Code == minio.RequestTimeTooSkewed:
		return unavailable(fmt.Sprintf("the storage at %s rejects the request, because its clock and this machine's differ", host), "set the clock")
	case r.Code == minio.AuthorizationHeaderMalformed || r.Code == "PermanentRedirect" || r.Code == minio.InvalidRegion:
		return unavailable(fmt.Sprintf("bucket %s is in another region (%s)", bucket, said), "set AWS_REGION to it")
	case (r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized) && anonymous:
		return unavailable(fmt.Sprintf("the storage at %s denies anonymous access to bucket %s, but no credentials were found", host, bucket), "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
	case r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized:
		return unavailable(fmt.Sprintf("the storage at %s denies access to bucket %s (%s)", host, bucket, said), "use credentials with read and write access: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
	case r.StatusCode >= http.StatusInternalServerError || r.StatusCode == http.StatusTooManyRequests:
		return unavailable(fmt.Sprintf("the storage at %s fails (%s)", host, said), "try again later")
	}
	return fmt.Errorf("the storage at %s answered %s", host, said)
}
