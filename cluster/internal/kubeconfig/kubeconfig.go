// Package kubeconfig writes the kubeconfigs of the cluster's clients.
package kubeconfig

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

const clusterName = "ringside"

// Write writes a kubeconfig with embedded certificates, so that it does not depend on other files.
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
