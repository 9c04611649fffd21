package preflight

import "golang.org/x/sys/unix"

// inotifySetting limits the inotify instances of each user. Distributions leave it at 128, which is sufficient for
// three small clusters. In the next one some daemon would exit or miss changes with "too many open files".
const inotifySetting = "fs.inotify.max_user_instances"

// inotifyFree returns how many inotify instances this user can still create, up to the wanted number. The only way to
// find out is to create them; they are closed at once.
func inotifyFree(wanted int) int {
	made := make([]int, 0, max(wanted, 0))
	defer func() {
		for _, fd := range made {
			_ = unix.Close(fd)
		}
	}()
	for len(made) < wanted {
		fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
		if err != nil {
			break
		}
		made = append(made, fd)
	}
	return len(made)
}
