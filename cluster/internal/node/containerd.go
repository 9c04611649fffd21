package node

import (
	"fmt"

	"ringside.dev/ringside/cluster/internal/images"
)

// containerdConfig uses version 2 of the format, which containerd 1.4 to 2.x can read.
func containerdConfig(opts Options) string {
	config := fmt.Sprintf(`version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
# No file of the host's /etc/containerd is read.
imports = []

[grpc]
  address = %q

[debug]
  level = "warn"

# Instead of /opt/containerd, which is the host's.
[plugins."io.containerd.internal.v1.opt"]
  path = "/var/lib/containerd/opt"

# Containerd 2 would start the plugins of /opt/nri.
[plugins."io.containerd.nri.v1.nri"]
  disable = true

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = %q
  # Without CAP_SYS_RESOURCE a container's score can be raised but not lowered, and runc would die trying.
  restrict_oom_score_adj = %t
  # Profiles live in the host's kernel, not in the node.
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = %q
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = %q
    conf_dir = %q
`, ContainerdSocket, images.PauseName, !opts.MayRaisePriority, opts.Snapshotter, opts.Tools.CNIDir, inMachine("cni/net.d"))
	if opts.RegistryPort != 0 {
		config += fmt.Sprintf("  [plugins.\"io.containerd.grpc.v1.cri\".registry]\n    config_path = %q\n", inMachine(registriesDir))
	}
	return config
}
