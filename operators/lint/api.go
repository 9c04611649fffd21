package main

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"
	"sigs.k8s.io/kube-api-linter/pkg/analysis/registry"
	"sigs.k8s.io/kube-api-linter/pkg/config"
	_ "sigs.k8s.io/kube-api-linter/pkg/registration" // the linters
)

// apiPackages is what the path of every package with types of the API contains.
const apiPackages = "/operators/api/v1"

// further are linters that kube-api-linter leaves out by default.
var further = []string{"statusoptional", "statussubresource"}

// settings are those of kube-api-linter.
var settings = config.LintersConfig{
	// A custom resource has neither protobuf nor strategic merge patches.
	"conditions": map[string]any{"useProtobuf": "Forbid", "usePatchStrategy": "Forbid", "isFirstField": "Ignore"},
	"defaults":   map[string]any{"preferredDefaultMarker": "kubebuilder:default"}, // controller-gen's
}

// apiAnalyzers returns kube-api-linter's analyzers, for packages of the API.
func apiAnalyzers() ([]*analysis.Analyzer, error) {
	analyzers, err := registry.DefaultRegistry().InitializeLinters(config.Linters{Enable: further}, settings)
	if err != nil {
		return nil, fmt.Errorf("configure kube-api-linter: %w", err)
	}
	for _, analyzer := range analyzers {
		run := analyzer.Run
		analyzer.Run = func(pass *analysis.Pass) (any, error) {
			if !strings.Contains(pass.Pkg.Path(), apiPackages) {
				return nil, nil
			}
			return run(pass)
		}
	}
	return analyzers, nil
}
