// Package pki creates the cluster's certificate authorities, certificates and keys once, and reads them back.
package pki

import (
	"crypto"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kubeadm/app/apis/kubeadm"
	"k8s.io/kubernetes/cmd/kubeadm/app/util/pkiutil"
)

const (
	caLifetime   = 10 * 365 * 24 * time.Hour
	leafLifetime = 365 * 24 * time.Hour
	// renewBefore is the minimum remaining validity of a certificate. Below it, the certificate is issued again.
	renewBefore = 30 * 24 * time.Hour
	algorithm   = kubeadm.EncryptionAlgorithmECDSAP256
)

// Store is a directory of PEM files: <name>.crt and <name>.key.
type Store struct {
	Dir string
	Now func() time.Time
}

// Pair is a certificate and its key.
type Pair struct {
	Cert *x509.Certificate
	key  crypto.Signer
}

// Who presents a certificate.
var (
	Server = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	Client = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
)

// Names returns IP addresses and DNS names of a server as its certificate holds them.
func Names(addresses ...string) (names cert.AltNames) {
	for _, address := range addresses {
		if ip := net.ParseIP(address); ip != nil {
			names.IPs = append(names.IPs, ip)
		} else {
			names.DNSNames = append(names.DNSNames, address)
		}
	}
	return names
}

// CertPEM returns the certificate as PEM.
func (p Pair) CertPEM() []byte { return pkiutil.EncodeCertPEM(p.Cert) }

// WriteKubeconfig writes the kubeconfig of a client. It holds the certificates, so that it does not depend on other files.
func (p Pair) WriteKubeconfig(path, server string, ca Pair) error {
	const cluster = "ringside"
	key, err := keyutil.MarshalPrivateKeyToPEM(p.key)
	if err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	user, config := p.Cert.Subject.CommonName, api.NewConfig()
	config.Clusters[cluster] = &api.Cluster{Server: server, CertificateAuthorityData: ca.CertPEM()}
	config.AuthInfos[user] = &api.AuthInfo{ClientCertificateData: p.CertPEM(), ClientKeyData: key}
	config.Contexts[cluster] = &api.Context{Cluster: cluster, AuthInfo: user}
	config.CurrentContext = cluster
	if err := clientcmd.WriteToFile(*config, path); err != nil { // mode 0600
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}

// Authority returns the certificate authority with this name. It is created on first use.
func (s Store) Authority(name string) (Pair, error) {
	authority, key, err := pkiutil.TryLoadCertAndKeyFromDisk(s.Dir, name)
	if errors.Is(err, os.ErrNotExist) {
		authority, key, err = pkiutil.NewCertificateAuthority(s.config(cert.Config{CommonName: "ringside-" + name}, caLifetime))
		err = s.write(name, authority, key, err)
	}
	if err != nil {
		return Pair{}, fmt.Errorf("certificate authority %s: %w", name, err)
	}
	return Pair{authority, key}, nil
}

// Issue returns the pair of this file name. It is issued if it is missing, expires soon, or does not match the request.
func (s Store) Issue(file string, by Pair, request cert.Config) (Pair, error) {
	leaf, key, err := pkiutil.TryLoadCertAndKeyFromDisk(s.Dir, file)
	if err != nil || !s.stillGood(leaf, by, request) {
		leaf, key, err = pkiutil.NewCertAndKey(by.Cert, by.key, s.config(request, leafLifetime))
		err = s.write(file, leaf, key, err)
	}
	if err != nil {
		return Pair{}, fmt.Errorf("certificate %s: %w", file, err)
	}
	return Pair{leaf, key}, nil
}

func (s Store) config(request cert.Config, lifetime time.Duration) *pkiutil.CertConfig {
	now := s.Now()
	request.NotBefore = now.Add(-5 * time.Minute) // tolerates a clock that was set back a little
	return &pkiutil.CertConfig{Config: request, NotAfter: now.Add(lifetime), EncryptionAlgorithm: algorithm}
}

// write writes a new pair, unless making it failed.
func (s Store) write(name string, made *x509.Certificate, key crypto.Signer, err error) error {
	if err != nil {
		return err
	}
	return pkiutil.WriteCertAndKey(s.Dir, name, made, key)
}

func (s Store) stillGood(leaf *x509.Certificate, by Pair, request cert.Config) bool {
	if leaf.CheckSignatureFrom(by.Cert) != nil || s.Now().Add(renewBefore).After(leaf.NotAfter) {
		return false
	}
	for _, ip := range request.AltNames.IPs {
		if leaf.VerifyHostname(ip.String()) != nil {
			return false
		}
	}
	return sets.New(leaf.DNSNames...).HasAll(request.AltNames.DNSNames...) && leaf.Subject.CommonName == request.CommonName
}

// Expiry returns when the first of the certificates in the directories expires.
func Expiry(dirs ...string) (time.Time, error) {
	var first time.Time
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.crt"))
		if err != nil {
			return time.Time{}, fmt.Errorf("list certificates: %w", err)
		}
		for _, file := range files {
			certs, err := cert.CertsFromFile(file)
			if err != nil {
				return time.Time{}, fmt.Errorf("read certificate: %w", err)
			}
			if end := certs[0].NotAfter; first.IsZero() || end.Before(first) {
				first = end
			}
		}
	}
	return first, nil
}

// SigningKey makes a key pair without a certificate, <name>.key and <name>.pub, if it is missing.
func (s Store) SigningKey(name string) error {
	if _, err := os.Stat(filepath.Join(s.Dir, name+".pub")); err == nil {
		return nil
	}
	key, err := pkiutil.NewPrivateKey(algorithm)
	if err == nil {
		// The private key is written first: a public key marks a complete pair.
		err = pkiutil.WriteKey(s.Dir, name, key)
	}
	if err == nil {
		err = pkiutil.WritePublicKey(s.Dir, name, key.Public())
	}
	if err != nil {
		return fmt.Errorf("key pair %s: %w", name, err)
	}
	return nil
}
