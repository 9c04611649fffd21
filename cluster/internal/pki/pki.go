// Package pki creates the cluster's certificate authorities, certificates and keys once, and reads them back.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

const (
	caLifetime   = 10 * 365 * 24 * time.Hour
	leafLifetime = 365 * 24 * time.Hour
	// renewBefore is the minimum remaining validity of a certificate. Below it, the certificate is issued again.
	renewBefore = 30 * 24 * time.Hour
)

// Store is a directory of PEM files: <name>.crt and <name>.key.
type Store struct {
	Dir string
	Now func() time.Time
}

// Authority signs certificates.
type Authority struct {
	CertFile string
	KeyFile  string
	cert     *x509.Certificate
	key      crypto.Signer
}

// Pair is a certificate and its key, as PEM and as files.
type Pair struct {
	CertFile string
	KeyFile  string
	CertPEM  []byte
	KeyPEM   []byte
}

// Request describes a certificate. Servers need Addresses; clients are identified by Name and Groups.
type Request struct {
	Name      string   // common name: for clients, the user
	Groups    []string // organization: for clients, the groups
	Addresses []string // IPs and DNS names
	Server    bool
	Client    bool
}

// CertPEM returns the authority's own certificate.
func (a *Authority) CertPEM() []byte { return encodeCert(a.cert.Raw) }

// Authority returns the authority with this name. It is created on first use.
func (s Store) Authority(name string) (*Authority, error) {
	certFile, keyFile := s.files(name)
	cert, key, err := load(certFile, keyFile)
	if errors.Is(err, os.ErrNotExist) {
		cert, key, err = s.makeAuthority(name, certFile, keyFile)
	}
	if err != nil {
		return nil, fmt.Errorf("certificate authority %s: %w", name, err)
	}
	return &Authority{CertFile: certFile, KeyFile: keyFile, cert: cert, key: key}, nil
}

func (s Store) makeAuthority(name, certFile, keyFile string) (*x509.Certificate, crypto.Signer, error) {
	template, err := s.template(caLifetime)
	if err != nil {
		return nil, nil, err
	}
	template.Subject = pkix.Name{CommonName: "ringside " + name}
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature
	key, err := newKey()
	if err != nil {
		return nil, nil, err
	}
	if _, err := s.sign(template, template, key, key, certFile, keyFile); err != nil {
		return nil, nil, err
	}
	return load(certFile, keyFile)
}

// Issue returns the pair of this file name. It is issued if it is missing, expires soon, or does not match the request.
func (s Store) Issue(file string, by *Authority, request Request) (Pair, error) {
	certFile, keyFile := s.files(file)
	cert, _, err := load(certFile, keyFile)
	if err == nil && s.stillGood(cert, by, request) {
		return readPair(certFile, keyFile)
	}
	template, err := s.template(leafLifetime)
	if err != nil {
		return Pair{}, err
	}
	template.Subject = pkix.Name{CommonName: request.Name, Organization: request.Groups}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.IPAddresses, template.DNSNames = split(request.Addresses)
	if request.Server {
		template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
	}
	if request.Client {
		template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageClientAuth)
	}
	key, err := newKey()
	if err != nil {
		return Pair{}, err
	}
	return s.sign(template, by.cert, key, by.key, certFile, keyFile)
}

func (s Store) stillGood(cert *x509.Certificate, by *Authority, request Request) bool {
	if cert.CheckSignatureFrom(by.cert) != nil || s.Now().Add(renewBefore).After(cert.NotAfter) {
		return false
	}
	for _, address := range request.Addresses {
		if cert.VerifyHostname(address) != nil {
			return false
		}
	}
	return cert.Subject.CommonName == request.Name
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
			content, err := os.ReadFile(file)
			if err != nil {
				return time.Time{}, fmt.Errorf("read certificate: %w", err)
			}
			block, _ := pem.Decode(content)
			if block == nil {
				return time.Time{}, fmt.Errorf("%s is not PEM", file)
			}
			cert, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return time.Time{}, fmt.Errorf("parse %s: %w", file, err)
			}
			if first.IsZero() || cert.NotAfter.Before(first) {
				first = cert.NotAfter
			}
		}
	}
	return first, nil
}

// SigningKey returns a key pair without a certificate: <name>.key and <name>.pub.
func (s Store) SigningKey(name string) (private, public string, err error) {
	private = filepath.Join(s.Dir, name+".key")
	public = filepath.Join(s.Dir, name+".pub")
	if _, err := os.Stat(public); err == nil {
		return private, public, nil
	}
	key, err := newKey()
	if err != nil {
		return "", "", err
	}
	keyPEM, err := encodeKey(key)
	if err != nil {
		return "", "", err
	}
	publicDER, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return "", "", fmt.Errorf("encode public key: %w", err)
	}
	if err := s.write(private, keyPEM, 0o600); err != nil {
		return "", "", err
	}
	publicPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: publicDER})
	return private, public, s.write(public, publicPEM, 0o644)
}

func (s Store) template(lifetime time.Duration) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, fmt.Errorf("draw serial number: %w", err)
	}
	now := s.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		NotBefore:    now.Add(-5 * time.Minute), // tolerates a clock that was set back a little
		NotAfter:     now.Add(lifetime),
	}, nil
}

func (s Store) sign(template, parent *x509.Certificate, key *ecdsa.PrivateKey, parentKey crypto.Signer, certFile, keyFile string) (Pair, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), parentKey)
	if err != nil {
		return Pair{}, fmt.Errorf("sign certificate: %w", err)
	}
	keyPEM, err := encodeKey(key)
	if err != nil {
		return Pair{}, err
	}
	// Write the key first: a certificate marks a complete pair.
	if err := s.write(keyFile, keyPEM, 0o600); err != nil {
		return Pair{}, err
	}
	if err := s.write(certFile, encodeCert(der), 0o644); err != nil {
		return Pair{}, err
	}
	return readPair(certFile, keyFile)
}

func (s Store) files(name string) (cert, key string) {
	return filepath.Join(s.Dir, name+".crt"), filepath.Join(s.Dir, name+".key")
}

func (s Store) write(path string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

func newKey() (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make key: %w", err)
	}
	return key, nil
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), nil
}

func encodeCert(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func readPair(certFile, keyFile string) (Pair, error) {
	certPEM, err := os.ReadFile(certFile)
	if err != nil {
		return Pair{}, fmt.Errorf("read certificate: %w", err)
	}
	keyPEM, err := os.ReadFile(keyFile)
	if err != nil {
		return Pair{}, fmt.Errorf("read key: %w", err)
	}
	return Pair{CertFile: certFile, KeyFile: keyFile, CertPEM: certPEM, KeyPEM: keyPEM}, nil
}

func load(certFile, keyFile string) (*x509.Certificate, crypto.Signer, error) {
	pair, err := readPair(certFile, keyFile)
	if err != nil {
		return nil, nil, err
	}
	certBlock, _ := pem.Decode(pair.CertPEM)
	keyBlock, _ := pem.Decode(pair.KeyPEM)
	if certBlock == nil || keyBlock == nil {
		return nil, nil, fmt.Errorf("%s or %s is not PEM", certFile, keyFile)
	}
	cert, err := x509.ParseCertificate(certBlock.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("parse %s: %w", certFile, err)
	}
	key, err := x509.ParseECPrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("parse %s: %w", keyFile, err)
	}
	return cert, key, nil
}

func split(addresses []string) (ips []net.IP, names []string) {
	for _, address := range addresses {
		if ip := net.ParseIP(address); ip != nil {
			ips = append(ips, ip)
		} else {
			names = append(names, address)
		}
	}
	return ips, names
}
