package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/internal/problem"
)

func TestWhatAStorageSaysBecomesAFaultAndItsFix(t *testing.T) {
	for name, test := range map[string]struct {
		err         error
		anonymous   bool
		says        string
		unavailable bool
	}{
		"no bucket":           {err: minio.ErrorResponse{Code: "NoSuchBucket", StatusCode: 404}, says: "there is no bucket runs at storage.example: create it, or use another; AWS_ENDPOINT_URL chooses another storage", unavailable: true},
		"a wrong key":         {err: minio.ErrorResponse{Code: "InvalidAccessKeyId", StatusCode: 403}, says: "the storage at storage.example denies access to bucket runs (InvalidAccessKeyId The access key ID you provided does not exist in our records.): use credentials with read and write access: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", unavailable: true},
		"a wrong secret":      {err: minio.ErrorResponse{Code: "SignatureDoesNotMatch", StatusCode: 403}, says: "denies access to bucket runs (SignatureDoesNotMatch ", unavailable: true},
		"no credentials":      {err: minio.ErrorResponse{Code: "AccessDenied", StatusCode: 403}, anonymous: true, says: "denies anonymous access to bucket runs, but no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", unavailable: true},
		"another region":      {err: minio.ErrorResponse{Code: "AuthorizationHeaderMalformed", StatusCode: 400}, says: "bucket runs is in another region (AuthorizationHeaderMalformed The authorization header is malformed; the region is wrong.): set AWS_REGION to it", unavailable: true},
		"a clock":             {err: minio.ErrorResponse{Code: "RequestTimeTooSkewed", StatusCode: 403}, says: "its clock and this machine's differ: set the clock", unavailable: true},
		"overload":            {err: minio.ErrorResponse{Code: "SlowDown", StatusCode: 503, Message: "Please reduce your request rate.\nReally."}, says: "the storage at storage.example fails (SlowDown Please reduce your request rate.): try again later", unavailable: true},
		"nobody answers":      {err: &url.Error{Op: "Get", URL: "https://storage.example/runs?x", Err: errors.New("connection refused")}, says: "the storage at storage.example does not answer (connection refused): AWS_ENDPOINT_URL chooses another", unavailable: true},
		"Ctrl-C":              {err: &url.Error{Op: "Get", Err: context.Canceled}, says: "context canceled"},
		"no such file":        {err: fmt.Errorf("get: %w", minio.ErrorResponse{Code: "NoSuchKey", StatusCode: 404}), says: fs.ErrNotExist.Error()},
		"what nobody expects": {err: minio.ErrorResponse{Code: "NotImplemented", StatusCode: 400}, says: "the storage at storage.example answered NotImplemented A header you provided implies functionality that is not implemented."},
	} {
		t.Run(name, func(t *testing.T) {
			err := explain(test.err, "runs", "storage.example", test.anonymous)
			assert.ErrorContains(t, err, test.says)
			assert.Equal(t, test.unavailable, problem.IsUnavailable(err))
		})
	}
}
