// Command ringside-kube contains etcd and every Kubernetes program that the embedded cluster needs.
//
// The name by which it is called selects the program (a symlink named kubelet runs the kubelet), or else its first
// argument. One binary links in a third of the time of seven, and takes a fifth of their disk space.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	_ "time/tzdata" // CronJob time zones

	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var programs = map[string]func() int{
	"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() int { return cli.Run(controllermanager.NewControllerManagerCommand()) },
	"kube-scheduler":          func() int { return cli.Run(scheduler.NewSchedulerCommand()) },
	"kube-proxy":              func() int { return cli.Run(proxy.NewProxyCommand()) },
	"kubelet":                 func() int { return cli.Run(kubelet.NewKubeletCommand(context.Background())) },
	"kubectl":                 runKubectl,
	"etcd":                    func() int { etcdmain.Main(os.Args); return 0 },
}

func main() {
	name, args, err := choose(os.Args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Args = args
	os.Exit(programs[name]())
}

// choose returns the program to run and its arguments, beginning with its own name.
func choose(args []string) (string, []string, error) {
	if len(args) > 0 {
		name := filepath.Base(args[0])
		if _, known := programs[name]; known {
			return name, args, nil
		}
	}
	if len(args) > 1 {
		if _, known := programs[args[1]]; known {
			return args[1], args[1:], nil
		}
	}
	return "", nil, fmt.Errorf("ringside-kube: name one of %s, as the first argument or by a symlink", strings.Join(names(), ", "))
}

func names() []string {
	all := make([]string, 0, len(programs))
	for name := range programs {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

func runKubectl() int {
	// kubectl logs while it builds its commands, before cobra has parsed the verbosity flag.
	_, _ = logs.GlogSetter(kubectl.GetLogVerbosity(os.Args))
	command := kubectl.NewDefaultKubectlCommand()
	if err := cli.RunNoErrOutput(command); err != nil {
		kubectlutil.CheckErr(err)
	}
	return 0
}
