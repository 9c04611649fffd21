package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFixOfCreation_namesALimitRange(t *testing.T) {
	const other = "raise the quota, relax the policy or make what is missing"
	for fault, want := range map[string]string{
		`Pod "a" is invalid: spec.containers[0].resources.requests: Invalid value: "250m": must be less than or equal to cpu limit of 150m`: "a LimitRange of the namespace sets that limit: remove its default, or set limits in the experiment (resources)",
		`pods "a" is forbidden: exceeded quota: small, requested: pods=1`:                                                                   other,
	} {
		assert.Equal(t, want, fixOfCreation(fault))
	}
}
