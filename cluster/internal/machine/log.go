package machine

import (
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

// copyFrom writes what it reads until the last writer has closed its end.
func (l *rotatingLog) copyFrom(reader *os.File) {
	defer reader.Close()
	if _, err := io.Copy(l, reader); err != nil {
		log.Printf("write %s: %v", l.path, err)
		// A service that cannot log must not block on a full pipe.
		_, _ = io.Copy(io.Discard, reader)
	}
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
