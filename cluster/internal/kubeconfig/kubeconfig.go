// Package kubeconfig writes the files by which the cluster's clients find the API server and prove who they are.
package kubeconfig

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

const clusterName = "ringside"

// Write writes a kubeconfig that carries its certificates inside, so that it can be moved and shown to a machine alone.
func Write(path, server, user string, caPEM, certPEM, keyPEM []byte) error {
	config := api.NewConfig()
	config.Clusters[clusterName] = &api.Cluster{Server: server, CertificateAuthorityData: caPEM}
	config.AuthInfos[user] = &api.AuthInfo{ClientCertificateData: certPEM, ClientKeyData: keyPEM}
	config.Contexts[clusterName] = &api.Context{Cluster: clusterName, AuthInfo: user}
	config.CurrentContext = clusterName
	if err := clientcmd.WriteToFile(*config, path); err != nil { // mode 0600
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}
