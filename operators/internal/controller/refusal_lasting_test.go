package controller

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestAMissingRightMayComeBackAndAQuotaOrAPolicyDoesNot(t *testing.T) {
	pods := schema.GroupResource{Resource: "pods"}
	for message, lasts := range map[string]bool{
		`User "system:serviceaccount:ringside:ringside-operator" cannot create resource "pods" in API group "" in the namespace "ringside"`: false,
		`User "x" cannot create resource "pods": RBAC: role.rbac.authorization.k8s.io "ringside-operator" not found`:                        false,
		`exceeded quota: team, requested: cpu=2, used: cpu=7, limited: cpu=8`:                                                               true,
		`violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false`:                                                       true,
		`ValidatingAdmissionPolicy 'images' with binding 'images' denied request: no such registry`:                                         true,
		`admission webhook "validate.kyverno.svc" denied the request: no`:                                                                   true,
		`maximum cpu usage per Container is 1, but limit is 2`:                                                                              true,
	} {
		assert.Equal(t, lasts, lasting(apierrors.NewForbidden(pods, "x", errors.New(message))), message)
	}
	assert.True(t, lasting(apierrors.NewBadRequest("no")))
}
