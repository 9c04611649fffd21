package machine

import (
	"fmt"
	"io"
	"log"
	"os"
	"sync"
)

// maxLogBytes bounds a service's log; one older file of the same size is kept beside it.
const maxLogBytes = 16 << 20

// rotatingLog is a file that is set aside as "<path>.1" when it has grown too large.
type rotatingLog struct {
	path string
	max  int64

	mu   sync.Mutex
	file *os.File
	size int64
}

func newRotatingLog(path string, max int64) *rotatingLog { return &rotatingLog{path: path, max: max} }

// copyFrom writes what it reads until the last writer has closed its end. What cannot be written, as when the disk is
// full, is lost, and no more than that: the service must not block on a full pipe, and its log goes on when there is
// room again, with a line that says how much is missing.
func (l *rotatingLog) copyFrom(reader io.ReadCloser) {
	defer reader.Close()
	buffer := make([]byte, 32<<10)
	var lost int64
	for {
		n, err := reader.Read(buffer)
		if n > 0 {
			lost = l.writeOrCount(buffer[:n], lost)
		}
		if err != nil {
			return
		}
	}
}

// writeOrCount returns how many bytes are lost so far.
func (l *rotatingLog) writeOrCount(p []byte, lost int64) int64 {
	if lost > 0 {
		if _, err := fmt.Fprintf(l, "[%d bytes of this log could not be written]\n", lost); err != nil {
			return lost + int64(len(p))
		}
	}
	n, err := l.Write(p)
	if err != nil {
		log.Printf("write %s: %v", l.path, err)
	}
	return int64(len(p) - n)
}

func (l *rotatingLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil && l.size+int64(len(p)) > l.max {
		_ = l.file.Close()
		l.file = nil
		if err := os.Rename(l.path, l.path+".1"); err != nil {
			return 0, err
		}
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

func (l *rotatingLog) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o640)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	l.file, l.size = file, info.Size()
	return nil
}
