package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChoosesTheProgramByNameOrFirstArgument(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want []string
	}{
		{"a symlink's name", []string{"/bin/kube/kubelet", "--v=1"}, []string{"/bin/kube/kubelet", "--v=1"}},
		{"the first argument", []string{"ringside-kube", "kubectl", "get", "nodes"}, []string{"kubectl", "get", "nodes"}},
		{"a program named like an argument of another", []string{"kubectl", "kubelet"}, []string{"kubectl", "kubelet"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			program, args, err := choose(test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, args)
			assert.Contains(t, programs, program)
		})
	}
	for _, args := range [][]string{nil, {"ringside-kube"}, {"ringside-kube", "docker"}} {
		_, _, err := choose(args)
		assert.ErrorContains(t, err, "etcd, kube-apiserver, kube-controller-manager, kube-proxy, kube-scheduler, kubectl, kubelet")
	}
}
