package machine

import (
	"fmt"
	"io"
	"log"
	"os"
	"sync"
)

// maxLogBytes bounds a service's log. One older file of the same size is kept.
const maxLogBytes = 16 << 20

// rotatingLog is a file that is renamed to "<path>.1" when it is full.
type rotatingLog struct {
	path string
	max  int64

	mu   sync.Mutex
	file *os.File
	size int64
}

func newRotatingLog(path string, max int64) *rotatingLog { return &rotatingLog{path: path, max: max} }

// copyFrom copies until the last writer has closed its end. If a write fails, for example because the disk is full, it
// discards that text only: the service must not block on a full pipe. When there is space again, the log continues with
// a line that reports the number of lost bytes.
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

// writeOrCount returns the number of bytes lost so far.
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
