package localregistry

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
)

// serve returns a tag in a registry that is served until the test ends.
func serve(t *testing.T, handler http.Handler) name.Tag {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	tag, err := name.NewTag(strings.TrimPrefix(server.URL, "http://") + "/team/image:1")
	require.NoError(t, err)
	return tag
}

func TestKeepsWhatWasPushedWhenItStartsAgain(t *testing.T) {
	folder := t.TempDir()
	open := func() name.Tag {
		handler, err := Open(folder)
		require.NoError(t, err)
		return serve(t, handler)
	}
	first := open()
	index, err := random.Index(1000, 2, 2)
	require.NoError(t, err)
	require.NoError(t, remote.WriteIndex(first, index))
	image, err := random.Image(1000, 2)
	require.NoError(t, err)
	require.NoError(t, remote.Write(first.Context().Tag("2"), image))

	file, err := os.OpenFile(filepath.Join(folder, "manifests.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"Path":"/v2/cut`)
	require.NoError(t, err)
	require.NoError(t, file.Close())

	again := open()
	got, err := remote.Index(again)
	require.NoError(t, err)
	require.NoError(t, validate.Index(got))
	want, err := index.Digest()
	require.NoError(t, err)
	digest, err := got.Digest()
	require.NoError(t, err)
	assert.Equal(t, want, digest)
	second, err := remote.Image(again.Context().Tag("2"))
	require.NoError(t, err)
	assert.NoError(t, validate.Image(second))
}

func TestServesOnlyUsersWhereThereAreUsers(t *testing.T) {
	open, err := Open(t.TempDir())
	require.NoError(t, err)
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), bcrypt.MinCost)
	require.NoError(t, err)
	users := filepath.Join(t.TempDir(), "users")
	require.NoError(t, os.WriteFile(users, fmt.Appendf(nil, "# who\nsomebody:%s\n\n", hash), 0o600))
	handler, err := RequireLogin(open, users)
	require.NoError(t, err)
	tag := serve(t, handler)
	image, err := random.Image(1000, 1)
	require.NoError(t, err)
	for _, test := range []struct {
		name string
		auth authn.Authenticator
		may  bool
	}{
		{"nobody", authn.Anonymous, false},
		{"a wrong password", &authn.Basic{Username: "somebody", Password: "guess"}, false},
		{"another user", &authn.Basic{Username: "else", Password: "secret"}, false},
		{"no hash", &authn.Basic{Username: "# who", Password: ""}, false},
		{"the user", &authn.Basic{Username: "somebody", Password: "secret"}, true},
	} {
		err := remote.Write(tag, image, remote.WithAuth(test.auth))
		assert.Equal(t, test.may, err == nil, "%s: %v", test.name, err)
		_, err = remote.Image(tag, remote.WithAuth(test.auth))
		assert.Equal(t, test.may, err == nil, "%s: %v", test.name, err)
	}
	_, err = RequireLogin(open, users+"-missing")
	assert.ErrorContains(t, err, "read users of the registry")
}
