package controlplane

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/clientcmd"

	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/pki"
)

func prepare(t *testing.T) (layout.Layout, machine.Spec) {
	t.Helper()
	return prepareWith(t, &Registry{})
}

func prepareWith(t *testing.T, registry *Registry) (layout.Layout, machine.Spec) {
	t.Helper()
	l := layout.Layout{Instance: "ringside", State: t.TempDir(), Bin: "/bin"}
	spec, err := Prepare(l, pki.Store{Dir: l.PKI(), Now: time.Now}, 1, registry)
	require.NoError(t, err)
	return l, spec
}

func TestEveryFileADaemonIsGivenExists(t *testing.T) {
	_, spec := prepare(t)
	hostPath := map[string]string{}
	for _, bind := range spec.Binds {
		hostPath[bind.Target] = bind.Source
	}
	checked := 0
	for _, service := range spec.Services {
		for _, argument := range service.Args[1:] {
			_, value, _ := strings.Cut(argument, "=")
			for target, source := range hostPath {
				if strings.HasPrefix(value, target+"/") && target != machine.BinDir {
					_, err := os.Stat(strings.Replace(value, target, source, 1))
					assert.NoError(t, err, "%s %s", service.Name, argument)
					checked++
				}
			}
		}
	}
	assert.Greater(t, checked, 20, "of the API server's certificates alone there are more than a dozen")
}

func TestTheAPIServerIsHardened(t *testing.T) {
	_, spec := prepare(t)
	i := slices.IndexFunc(spec.Services, func(s machine.Service) bool { return s.Name == "kube-apiserver" })
	args := spec.Services[i].Args
	assert.Contains(t, args, "--authorization-mode=Node,RBAC")
	assert.Contains(t, args, "--enable-admission-plugins=NodeRestriction")
	for _, argument := range args {
		assert.NotContains(t, argument, "insecure")
	}
}

func TestEveryClientIsItself(t *testing.T) {
	l, _ := prepare(t)
	for file, user := range map[string]string{
		"scheduler": "system:kube-scheduler", "controller-manager": "system:kube-controller-manager", "provisioner": ProvisionerUser,
	} {
		path := filepath.Join(l.Machine("control-plane"), file+".kubeconfig")
		config, err := clientcmd.LoadFromFile(path)
		require.NoError(t, err)
		assert.Equal(t, user, config.Contexts[config.CurrentContext].AuthInfo)
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestARegistryAsksForALoginOnlyWhereThereAreUsers(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users")
	const somebody = "somebody:$2y$05$notreally\n"
	require.NoError(t, os.WriteFile(users, []byte(somebody), 0o600))
	for name, test := range map[string]struct {
		registry *Registry
		asks     bool
	}{"open": {&Registry{}, false}, "closed": {&Registry{Users: users}, true}} {
		t.Run(name, func(t *testing.T) {
			l, spec := prepareWith(t, test.registry)
			home := l.Machine("control-plane")
			args := spec.Services[len(spec.Services)-1].Args
			assert.Equal(t, test.asks, slices.Contains(args, "--users"))
			kept, err := os.ReadFile(filepath.Join(home, "registry-users"))
			if !test.asks {
				assert.ErrorIs(t, err, os.ErrNotExist)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, somebody, string(kept))
			assert.Equal(t, filepath.Join(machine.ConfigDir, "registry-users"), args[len(args)-1])
		})
	}
	l := layout.Layout{Instance: "ringside", State: t.TempDir(), Bin: "/bin"}
	_, err := Prepare(l, pki.Store{Dir: l.PKI(), Now: time.Now}, 1, &Registry{Users: users + "-gone"})
	assert.ErrorContains(t, err, "--registry-users")
}
