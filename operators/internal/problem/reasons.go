package problem

import (
	"errors"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Reasons of problems that are not of the input: something is missing, unreachable or denies access.
const (
	// ClusterUnavailable: no cluster is configured, or the cluster, its namespace or Ringside's custom resources are missing, unreachable or
	// deny access.
	ClusterUnavailable v1beta1.Reason = "ClusterUnavailable"
	// OperatorUnavailable: the operator is not installed or not running.
	OperatorUnavailable v1beta1.Reason = "OperatorUnavailable"
	// ArchiveUnavailable: the folder, the bucket or the storage of an archive is missing, unreachable or denies access.
	ArchiveUnavailable v1beta1.Reason = "ArchiveUnavailable"
	// PrometheusUnavailable: the address of ringside history --push is unreachable, denies access or rejects samples.
	PrometheusUnavailable v1beta1.Reason = "PrometheusUnavailable"
)

// InvalidUsage is a command line that is wrong: an unknown command or flag, a value that a flag does not accept, a missing argument or one too many.
const InvalidUsage v1beta1.Reason = "InvalidUsage"

// IsUnavailable reports whether an error is a problem with one of these reasons.
func IsUnavailable(err error) bool {
	var p Problem
	unavailable := []v1beta1.Reason{ClusterUnavailable, OperatorUnavailable, ArchiveUnavailable, PrometheusUnavailable, v1beta1.RefusedChartUnavailable}
	return errors.As(err, &p) && slices.Contains(unavailable, p.Reason)
}
