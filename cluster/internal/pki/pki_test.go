package pki

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newStore(t *testing.T) Store {
	return Store{Dir: filepath.Join(t.TempDir(), "pki"), Now: func() time.Time { return today }}
}

func parse(t *testing.T, certPEM []byte) *x509.Certificate {
	t.Helper()
	block, rest := pem.Decode(certPEM)
	require.NotNil(t, block)
	require.Empty(t, rest)
	cert, err := x509.ParseCertificate(block.Bytes)
	require.NoError(t, err)
	return cert
}

func TestIssuesAServerCertificateThatVerifies(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)

	pair, err := store.Issue("server", ca, Request{Name: "kube-apiserver", Server: true, Addresses: []string{"10.0.0.1", "kubernetes"}})
	require.NoError(t, err)

	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(ca.CertPEM()))
	cert := parse(t, pair.CertPEM)
	for _, name := range []string{"10.0.0.1", "kubernetes"} {
		_, err = cert.Verify(x509.VerifyOptions{DNSName: name, Roots: roots, CurrentTime: today})
		assert.NoError(t, err, name)
	}
	_, err = cert.Verify(x509.VerifyOptions{DNSName: "elsewhere", Roots: roots, CurrentTime: today})
	assert.Error(t, err)
	_, err = cert.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: today, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	assert.Error(t, err, "a server's certificate must not serve as a client's")
}

func TestIssuesAClientCertificateThatNamesUserAndGroups(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)

	pair, err := store.Issue("node1", ca, Request{Name: "system:node:node1", Groups: []string{"system:nodes"}, Client: true})
	require.NoError(t, err)

	cert := parse(t, pair.CertPEM)
	assert.Equal(t, "system:node:node1", cert.Subject.CommonName)
	assert.Equal(t, []string{"system:nodes"}, cert.Subject.Organization)
	assert.False(t, cert.IsCA)
}

func TestKeepsKeysToTheOwner(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)
	pair, err := store.Issue("admin", ca, Request{Name: "admin", Client: true})
	require.NoError(t, err)
	private, _, err := store.SigningKey("service-account")
	require.NoError(t, err)
	for _, key := range []string{ca.KeyFile, pair.KeyFile, private} {
		info, err := os.Stat(key)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), key)
	}
}

func TestMakesNothingAnewThatIsStillGood(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)
	request := Request{Name: "etcd", Server: true, Addresses: []string{"127.0.0.1"}}
	first, err := store.Issue("etcd", ca, request)
	require.NoError(t, err)
	_, public, err := store.SigningKey("service-account")
	require.NoError(t, err)
	key, err := os.ReadFile(public)
	require.NoError(t, err)

	again, err := store.Authority("ca")
	require.NoError(t, err)
	assert.Equal(t, ca.CertPEM(), again.CertPEM())
	second, err := store.Issue("etcd", again, request)
	require.NoError(t, err)
	assert.Equal(t, first, second)
	_, _, err = store.SigningKey("service-account")
	require.NoError(t, err)
	keyAgain, err := os.ReadFile(public)
	require.NoError(t, err)
	assert.Equal(t, key, keyAgain)
}

func TestReplacesWhatNoLongerFits(t *testing.T) {
	request := Request{Name: "etcd", Server: true, Addresses: []string{"127.0.0.1"}}
	for _, test := range []struct {
		name   string
		change func(*Store, *Request)
		by     string
	}{
		{"runs out within a month", func(s *Store, _ *Request) { s.Now = func() time.Time { return today.Add(340 * 24 * time.Hour) } }, "ca"},
		{"lacks an address", func(_ *Store, r *Request) { r.Addresses = []string{"127.0.0.1", "10.0.0.1"} }, "ca"},
		{"is another's", func(_ *Store, r *Request) { r.Name = "other" }, "ca"},
		{"was signed by another authority", func(*Store, *Request) {}, "other-ca"},
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

			assert.NotEqual(t, first.CertPEM, second.CertPEM)
			assert.NoError(t, parse(t, second.CertPEM).CheckSignatureFrom(parse(t, by.CertPEM())))
		})
	}
}

func TestSaysWhichFileIsDamaged(t *testing.T) {
	store := newStore(t)
	ca, err := store.Authority("ca")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(ca.CertFile, []byte("rubbish"), 0o600))
	_, err = store.Authority("ca")
	assert.ErrorContains(t, err, ca.CertFile)
}

func TestTellsWhenTheFirstCertificateEnds(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	early := Store{Dir: t.TempDir(), Now: func() time.Time { return now }}
	late := Store{Dir: t.TempDir(), Now: func() time.Time { return now.Add(48 * time.Hour) }}
	ca, err := early.Authority("ca") // is valid ten times as long
	require.NoError(t, err)
	for _, store := range []Store{late, early} {
		_, err := store.Issue("client", ca, Request{Name: "x", Client: true})
		require.NoError(t, err)
	}
	first, err := Expiry(late.Dir, early.Dir, filepath.Join(early.Dir, "absent"))
	require.NoError(t, err)
	assert.Equal(t, now.Add(leafLifetime), first.UTC())
}
