package apiserver

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
)

// Convert makes CRDs with several versions serve all of them, as charts/ringside does, converted by a server of this process. The caller closes it.
func Convert(crds []*apiextensionsv1.CustomResourceDefinition, path string, handler http.Handler) *httptest.Server {
	mux := http.NewServeMux()
	mux.Handle(path, handler)
	server := httptest.NewTLSServer(mux)
	for _, crd := range crds {
		if len(crd.Spec.Versions) == 1 {
			continue
		}
		for i := range crd.Spec.Versions {
			crd.Spec.Versions[i].Served = true
		}
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter, Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				URL:      ptr.To(server.URL + path),
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
			},
			ConversionReviewVersions: []string{"v1"},
		}}
	}
	return server
}
