package lifecycle

import (
	"golang.org/x/sys/unix"
)

// mayRaisePriority reports whether this process has CAP_SYS_RESOURCE, which containers in virtual machines often lack.
func mayRaisePriority() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return false
	}
	return data[0].Effective&(1<<unix.CAP_SYS_RESOURCE) != 0
}
