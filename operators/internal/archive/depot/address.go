package depot

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"
)

const s3Scheme = "s3://"

// InBucket reports whether text is an address in an S3-compatible storage, not a path.
func InBucket(text string) bool { return strings.HasPrefix(text, s3Scheme) }

// SplitRun splits the address of a run in a bucket, s3://bucket/prefix/<experiment>/<run>, into the place and the run's
// folder.
func SplitRun(address string) (place, folder string, err error) {
	if _, _, err := splitBucket(address); err != nil {
		return "", "", err
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(address, s3Scheme), "/"), "/")
	if len(parts) < 3 {
		return "", "", fmt.Errorf("%s is not the address of a run: use s3://bucket/prefix/<experiment>/<run>; ringside list --from %s lists the runs of a place", address, address)
	}
	place, folder = s3Scheme+strings.Join(parts[:len(parts)-2], "/"), path.Join(parts[len(parts)-2:]...)
	return place, folder, nil
}

// splitBucket splits the address of a place into its bucket and prefix.
func splitBucket(address string) (bucket, prefix string, err error) {
	bucket, prefix, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(address, s3Scheme), "/"), "/")
	if bucket == "" || strings.ContainsAny(bucket, ":@?") {
		return "", "", fmt.Errorf("%s has no bucket: use s3://bucket/prefix", address)
	}
	if err := s3utils.CheckValidBucketName(bucket); err != nil {
		return "", "", fmt.Errorf("%s has no valid bucket name (%w): use s3://bucket/prefix", address, err)
	}
	if elements := strings.Split(prefix, "/"); prefix != "" && slices.ContainsFunc(elements, func(e string) bool { return e == "" || e == "." || e == ".." }) {
		return "", "", fmt.Errorf("%s has an empty folder, a . or a .. in it: use s3://bucket/prefix", address)
	}
	return bucket, prefix, nil
}
