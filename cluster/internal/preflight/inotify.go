package preflight

import "golang.org/x/sys/unix"

// inotifySetting bounds the inotify instances of each user. Distributions leave it at 128, which is three small clusters: in the
// next one some daemon would end, or watch nothing, with "too many open files".
const inotifySetting = "fs.inotify.max_user_instances"

// inotifyFree tells how many inotify instances this user can still make, up to the number that is wanted. Nothing tells but to
// make them; they are gone again at once.
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
