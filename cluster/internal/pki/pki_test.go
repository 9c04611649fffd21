package pki

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/util/cert"
)

var today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) Store {
	return Store{Dir: filepath.Join(t.TempDir(), "pki"), Now: func() time.Time { return today }}
}

func TestIssuesAServerCertificateThatVerifies(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)

	pair, err := store.Issue("server", ca, cert.Config{CommonName: "kube-apiserver", Usages: Server, AltNames: Names("10.0.0.1", "kubernetes")})
	require.NoError(t, err)

	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(ca.CertPEM()))
	leaf := pair.Cert
	for _, name := range []string{"10.0.0.1", "kubernetes"} {
		_, err = leaf.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, CurrentTime: today})
		assert.NoError(t, err, name)
	}
	_, err = leaf.Verify(x509.VerifyOptions{DNSName: "elsewhere", Roots: roots, CurrentTime: today})
	assert.Error(t, err)
	_, err = leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: today, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	assert.Error(t, err, "a server's certificate must not serve as a client's")
}

func TestIssuesAClientCertificateThatNamesUserAndGroups(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)

	pair, err := store.Issue("node1", ca, cert.Config{CommonName: "system:node:node1", Organization: []string{"system:nodes"}, Usages: Client})
	require.NoError(t, err)

	assert.Equal(t, "system:node:node1", pair.Cert.Subject.CommonName)
	assert.Equal(t, []string{"system:nodes"}, pair.Cert.Subject.Organization)
	assert.False(t, pair.Cert.IsCA)
}

func TestKeepsKeysToTheOwner(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)
	_, err = store.Issue("admin", ca, cert.Config{CommonName: "admin", Usages: Client})
	require.NoError(t, err)
	require.NoError(t, store.SigningKey("service-account"))
	for _, key := range []string{"ca.key", "admin.key", "service-account.key"} {
		info, err := os.Stat(filepath.Join(store.Dir, key))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), key)
	}
}

func TestMakesNothingAnewThatIsStillGood(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)
	request := cert.Config{CommonName: "etcd", Usages: Server, AltNames: Names("127.0.0.1")}
	first, err := store.Issue("etcd", ca, request)
	require.NoError(t, err)
	require.NoError(t, store.SigningKey("service-account"))
	public := filepath.Join(store.Dir, "service-account.pub")
	key, err := os.ReadFile(public)
	require.NoError(t, err)

	again, err := store.Authority("ca")
	require.NoError(t, err)
	assert.Equal(t, ca.CertPEM(), again.CertPEM())
	second, err := store.Issue("etcd", again, request)
	require.NoError(t, err)
	assert.Equal(t, first, second)
	require.NoError(t, store.SigningKey("service-account"))
	keyAgain, err := os.ReadFile(public)
	require.NoError(t, err)
	assert.Equal(t, key, keyAgain)
}

func TestReplacesWhatNoLongerFits(t *testing.T) {
	request := cert.Config{CommonName: "etcd", Usages: Server, AltNames: Names("127.0.0.1")}
	for _, test := range []struct {
		name   string
		change func(*Store, *cert.Config)
		by     string
	}{
		{"runs out within a month", func(s *Store, _ *cert.Config) { s.Now = func() time.Time { return today.Add(340 * 24 * time.Hour) } }, "ca"},
		{"lacks an address", func(_ *Store, r *cert.Config) { r.AltNames = Names("127.0.0.1", "10.0.0.1") }, "ca"},
		{"lacks a name", func(_ *Store, r *cert.Config) { r.AltNames = Names("127.0.0.1", "etcd") }, "ca"},
		{"is another's", func(_ *Store, r *cert.Config) { r.CommonName = "other" }, "ca"},
		{"was signed by another authority", func(*Store, *cert.Config) {}, "other-ca"},
	} {
		t.Run(test.name, func(t *testing.T) {
			store, request := newStore(t), request
			ca, err := store.Authority("ca")
			require.NoError(t, err)
			first, err := store.Issue("etcd", ca, request)
			require.NoError(t, err)

			test.change(&store, &request)
			by, err := store.Authority(test.by)
			require.NoError(t, err)
			second, err := store.Issue("etcd", by, request)
			require.NoError(t, err)

			assert.NotEqual(t, first.CertPEM(), second.CertPEM())
			assert.NoError(t, second.Cert.CheckSignatureFrom(by.Cert))
		})
	}
}

func TestSaysWhichFileIsDamaged(t *testing.T) {
	store := newStore(t)
	_, err := store.Authority("ca")
	require.NoError(t, err)
	file := filepath.Join(store.Dir, "ca.crt")
	require.NoError(t, os.WriteFile(file, []byte("rubbish"), 0o600))
	_, err = store.Authority("ca")
	assert.ErrorContains(t, err, file)
}

func TestTellsWhenTheFirstCertificateEnds(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	early := Store{Dir: t.TempDir(), Now: func() time.Time { return now }}
	late := Store{Dir: t.TempDir(), Now: func() time.Time { return now.Add(48 * time.Hour) }}
	ca, err := early.Authority("ca") // is valid ten times as long
	require.NoError(t, err)
	for _, store := range []Store{late, early} {
		_, err := store.Issue("client", ca, cert.Config{CommonName: "x", Usages: Client})
		require.NoError(t, err)
	}
	first, err := Expiry(late.Dir, early.Dir, filepath.Join(early.Dir, "absent"))
	require.NoError(t, err)
	assert.Equal(t, now.Add(leafLifetime), first.UTC())
}
