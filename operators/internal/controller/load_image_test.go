package controller_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestAPhaseMayHaveALoadOfItsOwn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	done := h.run(h.create(func(e *v1beta1.Experiment) { e.Spec.Phases[1].Image = "ycsb" }))
	assert.Zero(t, done.Status.Invalid)
	images := map[string]string{}
	for _, m := range h.measurements() {
		images[m.Spec.Phase] = m.Status.LoadImage.Reference
	}
	assert.Equal(t, map[string]string{"write": "registry.example/ringside-stress:test", "read": "registry.example/ringside-ycsb:test"}, images)
}
