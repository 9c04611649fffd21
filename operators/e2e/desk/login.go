//go:build e2e

package desk

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
)

// Login to the desk's registry.
type Login struct{ User, Password string }

// logIn writes who may use the registry, and logs in who sits here, as `docker login` and `helm registry login` do: the file of the first is returned.
func (d *Desk) logIn() string {
	d.T.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(d.login.Password), bcrypt.MinCost)
	require.NoError(d.T, err)
	folder := d.T.TempDir()
	users := filepath.Join(folder, "users")
	require.NoError(d.T, os.WriteFile(users, fmt.Appendf(nil, "%s:%s\n", d.login.User, hash), 0o600))
	token := base64.StdEncoding.EncodeToString([]byte(d.login.User + ":" + d.login.Password))
	credentials, err := json.Marshal(map[string]any{"auths": map[string]any{d.Registry: map[string]string{"auth": token}}})
	require.NoError(d.T, err)
	d.credentials = filepath.Join(folder, "config.json")
	require.NoError(d.T, os.WriteFile(d.credentials, credentials, 0o600))
	d.env = append(d.env, "REGISTRY_AUTH_FILE="+d.credentials, "HELM_REGISTRY_CONFIG="+d.credentials)
	return users
}

// PullSecret makes the Secret by which nodes log in, in a namespace.
func (d Desk) PullSecret(namespace, name string) {
	d.T.Helper()
	d.Kubectl("-n", namespace, "create", "secret", "generic", name, "--type=kubernetes.io/dockerconfigjson", "--from-file=.dockerconfigjson="+d.credentials)
}

// Ask the registry, logged in where that is asked for.
func (d Desk) Ask(request *http.Request) *http.Response {
	d.T.Helper()
	if d.login != nil {
		request.SetBasicAuth(d.login.User, d.login.Password)
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(d.T, err)
	return answer
}
