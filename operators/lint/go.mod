// Lint is a module of its own, because its analyzers require older versions of libraries that Ringside also uses.
module ringside.dev/ringside/operators/lint

go 1.26.8

require (
	github.com/Antonboom/errname v1.1.2
	github.com/mgechev/revive v1.17.1
	github.com/polyfloyd/go-errorlint v1.8.0
	golang.org/x/tools v0.51.0
	sigs.k8s.io/kube-api-linter v0.0.0-20260716143926-092fe0c72997
)

require (
	github.com/fatih/structtag v1.2.0 // indirect
	github.com/hashicorp/go-version v1.9.0 // indirect
	go.yaml.in/yaml/v2 v2.4.4 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	k8s.io/apimachinery v0.37.2 // indirect
	k8s.io/gengo/v2 v2.0.0-20250922181213-ec3ebc5fd46b // indirect
	k8s.io/utils v0.0.0-20260626114624-be93311217bd // indirect
	sigs.k8s.io/yaml v1.6.0 // indirect
)
