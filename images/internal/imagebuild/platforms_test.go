package imagebuild

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func TestReadsPlatforms(t *testing.T) {
	for text, want := range map[string][]v1.Platform{
		"":                                    nil,
		"linux/arm64":                         {arm64},
		"linux/arm64,linux/amd64,linux/arm64": {amd64, arm64},
		"linux/amd64, linux/arm64":            {amd64, arm64},
	} {
		got, err := ParsePlatforms(text)
		require.NoError(t, err)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"arm64", "windows/amd64", "linux/s390x", "linux/arm64/v8", "linux"} {
		_, err := ParsePlatforms(text)
		assert.ErrorContains(t, err, `read PLATFORMS: "`+text+`" is not supported; use linux/amd64, linux/arm64 or both`)
	}
}

func TestReadsThePlatformsOfTheNodes(t *testing.T) {
	node := func(name, system, architecture string) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name},
			Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{OperatingSystem: system, Architecture: architecture}}}
	}
	got, err := nodePlatforms(t.Context(), fake.NewClientset(node("a", "linux", "arm64"), node("b", "linux", "amd64"), node("c", "linux", "arm64"), node("d", "windows", "amd64")))
	require.NoError(t, err)
	assert.Equal(t, []v1.Platform{amd64, arm64}, got)
	_, err = nodePlatforms(t.Context(), fake.NewClientset(node("a", "linux", "s390x")))
	assert.ErrorContains(t, err, "none of 1 nodes has linux/amd64 or linux/arm64")
}
