package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestADeadlineNamesTheTimesThatItIncludes(t *testing.T) {
	assert.Equal(t, "the phase took longer than load.timeout (2h0m0s)", tooLong(2*time.Hour, nil))
	assert.Equal(t, "the phase took longer than load.timeout (2h0m0s) and awaitCompactions (30m0s)", tooLong(2*time.Hour, &metav1.Duration{Duration: 30 * time.Minute}))
}
