package driver

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/soak/chaosproxy"
)

// Where pods of the embedded cluster look for the API server, and where the control plane's machine listens for them.
const (
	serviceAddress = "10.202.0.1"
	planeAddress   = "10.200.0.1"
	planePort      = "7443"
	table          = "ringside-soak"
)

// diversion leads all pods of the cluster (the operator and meters among them) and the ringside command through chaos proxies. It is a
// rule in the nodes' network namespaces and two listeners of this process: nothing of the platform knows of it.
type diversion struct {
	// proxy of the pods, and of the command.
	proxy, commands *chaosproxy.Proxy
	redo            func(context.Context) error
	undo            func()
}

func (d *diversion) redivert(ctx context.Context) error {
	if d.redo == nil {
		return nil
	}
	return d.redo(ctx)
}

// divert from now on. The operator is ended, so that its next life goes through the proxy from its start.
func (s *soak) divert(ctx context.Context) (undo func(), err error) {
	kubeconfig := filepath.Join(s.State, "kubeconfig")
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read the cluster's kubeconfig: %w", err)
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("read the API server's address: %w", err)
	}
	asAdmin, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("make the command's way to the API server: %w", err)
	}
	// Pods say themselves who they are: a certificate of ours would make administrators of them.
	asThemselves, err := rest.TransportFor(rest.AnonymousClientConfig(config))
	if err != nil {
		return nil, fmt.Errorf("make the pods' way to the API server: %w", err)
	}
	s.proxy, s.commands = chaosproxy.New(server, asThemselves, s.Seed), chaosproxy.New(server, asAdmin, s.Seed+1)
	certificate, err := serve(filepath.Join(s.State, "pki"))
	if err != nil {
		return nil, err
	}
	forPods, err := s.listenInControlPlane(net.JoinHostPort(planeAddress, planePort))
	if err != nil {
		return nil, err
	}
	forCommand, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for the command: %w", err), forPods.Close())
	}
	var servers []*http.Server
	for listener, handler := range map[net.Listener]http.Handler{forPods: s.proxy, forCommand: s.commands} {
		server := &http.Server{Handler: handler, TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}},
			ReadHeaderTimeout: patience, ErrorLog: log.New(io.Discard, "", 0)}
		servers = append(servers, server)
		go func() { _ = server.ServeTLS(listener, "", "") }()
	}
	s.redo = s.addRules
	s.undo = func() {
		s.redo = nil
		s.removeRules(context.WithoutCancel(ctx))
		for _, server := range servers {
			_ = server.Close()
		}
	}
	if err := s.addRules(ctx); err != nil {
		s.undo()
		return nil, err
	}
	if err := s.commandGoesTo(kubeconfig, "https://"+forCommand.Addr().String()); err != nil {
		s.undo()
		return nil, err
	}
	if err := s.restartOperator(ctx); err != nil {
		s.undo()
		return nil, err
	}
	return s.undo, nil
}

func (s *soak) undivert(context.Context) {
	if s.undo != nil {
		s.undo()
	}
}

// listenInControlPlane's network namespace, where the nodes reach it.
func (s *soak) listenInControlPlane(address string) (net.Listener, error) {
	pid, err := s.machines.init(controlPlane)
	if err != nil {
		return nil, err
	}
	runtime.LockOSThread() // this goroutine's thread alone is in there meanwhile
	defer runtime.UnlockOSThread()
	var back, there *os.File
	if back, err = os.Open("/proc/thread-self/ns/net"); err == nil {
		defer func() { _ = back.Close() }()
		there, err = os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	}
	if err != nil {
		return nil, fmt.Errorf("open the control plane's network: %w", err)
	}
	defer func() { _ = there.Close() }()
	if err := unix.Setns(int(there.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, fmt.Errorf("enter the control plane's network: %w", err)
	}
	listener, err := net.Listen("tcp", address)
	if backErr := unix.Setns(int(back.Fd()), unix.CLONE_NEWNET); backErr != nil {
		return nil, fmt.Errorf("leave the control plane's network: %w", backErr)
	}
	if err != nil {
		return nil, fmt.Errorf("listen in the control plane's network: %w", err)
	}
	return listener, nil
}

// addRules to the nodes that lead pods to the proxy, before kube-proxy leads them to the API server. A node's own daemons do not pass there.
func (s *soak) addRules(ctx context.Context) error {
	rules := fmt.Sprintf("add table ip %[1]s\ndelete table ip %[1]s\ntable ip %[1]s {\nchain divert {\ntype nat hook prerouting priority dstnat - 10;\n"+
		"ip daddr %[2]s tcp dport 443 dnat to %[3]s:%[4]s\n}\n}\n", table, serviceAddress, planeAddress, planePort)
	for n := range nodes {
		if err := s.nft(ctx, fmt.Sprintf("node%d", n+1), rules); err != nil {
			return err
		}
	}
	return nil
}

func (s *soak) removeRules(ctx context.Context) {
	for n := range nodes {
		if err := s.nft(ctx, fmt.Sprintf("node%d", n+1), fmt.Sprintf("add table ip %[1]s\ndelete table ip %[1]s\n", table)); err != nil {
			s.say("  %v", err) // a machine that is down has none
		}
	}
}

func (s *soak) nft(ctx context.Context, node, rules string) error {
	pid, err := s.machines.init(node)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "nsenter", "--net", fmt.Sprintf("--target=%d", pid), "--", "nft", "-f", "-")
	cmd.Stdin = strings.NewReader(rules)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("change the rules of %s: %w: %s", node, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// commandGoesTo another address.
func (s *soak) commandGoesTo(kubeconfig, address string) error {
	content, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		return fmt.Errorf("read the cluster's kubeconfig: %w", err)
	}
	for _, cluster := range content.Clusters {
		cluster.Server = address
	}
	diverted := filepath.Join(s.Results, "kubeconfig")
	if err := clientcmd.WriteToFile(*content, diverted); err != nil {
		return fmt.Errorf("write the command's kubeconfig: %w", err)
	}
	s.campaign.place[slices.Index(s.campaign.place, kubeconfig)] = diverted
	return nil
}

func (s *soak) restartOperator(ctx context.Context) error {
	if err := s.client.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(s.Namespace), runs.OperatorLabels()); err != nil {
		return fmt.Errorf("end the operator: %w", err)
	}
	return nil
}

// serve is a certificate of the cluster's authority for all names by which the proxies are reached.
func serve(pki string) (tls.Certificate, error) {
	authority, err := tls.LoadX509KeyPair(filepath.Join(pki, "ca.crt"), filepath.Join(pki, "ca.key"))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the cluster's authority: %w", err)
	}
	parent, err := x509.ParseCertificate(authority.Certificate[0])
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the cluster's authority: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a key: %w", err)
	}
	now := time.Now()
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: table},
		NotBefore: now.Add(-time.Minute), NotAfter: now.Add(7 * 24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"kubernetes.default.svc", "localhost"},
		IPAddresses: []net.IP{net.ParseIP(serviceAddress), net.ParseIP(planeAddress), net.IPv4(127, 0, 0, 1)},
	}, parent, &key.PublicKey, authority.PrivateKey)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("sign a certificate: %w", err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("encode a key: %w", err)
	}
	return tls.X509KeyPair(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

// fates of all requests, as lines.
func (d *diversion) fates() string {
	pods, command := d.proxy.Counts(), d.commands.Counts()
	names := map[string]bool{}
	for _, counts := range []map[string]int{pods, command} {
		for name := range counts {
			names[name] = true
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "\n%-24s %10s %10s\n", "REQUESTS", "PODS", "COMMAND")
	for _, name := range slices.Sorted(maps.Keys(names)) {
		label := name
		if name == "" {
			label = "untouched"
		}
		fmt.Fprintf(&out, "%-24s %10d %10d\n", label, pods[name], command[name])
	}
	return out.String()
}
