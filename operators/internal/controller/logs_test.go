package controller

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A kubelet's answer for a container that it had removed (containerd, Kubernetes 1.34).
func TestTheKubeletsAnswerForALogThatIsGoneIsNoLog(t *testing.T) {
	assert.Empty(t, wordsOf("unable to retrieve container logs for containerd://5ad0c2bf4c1b"))
	assert.Equal(t, "Unrecognized VM option 'UseZGC'", wordsOf("Unrecognized VM option 'UseZGC'\n"))
	assert.Empty(t, wordsOf("\n"))
}
