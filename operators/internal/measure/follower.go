package measure

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Follower reads a log that is still being written. It keeps an incomplete last line until the rest arrives.
type Follower struct {
	// Counters is called with the counters of each window after its intervals; may be nil.
	Counters func(Counters)

	name    string
	open    func() (*os.File, error)
	file    *os.File
	parser  Parser
	partial []byte
	buffer  []byte
}

// NewFollower follows the file at path, which need not exist yet.
func NewFollower(path string) *Follower {
	return FollowOpened(path, func() (*os.File, error) { return os.Open(path) })
}

// FollowOpened follows the file that open returns. Until the file exists, open fails with fs.ErrNotExist.
func FollowOpened(name string, open func() (*os.File, error)) *Follower {
	return &Follower{name: name, open: open, buffer: make([]byte, 64<<10)}
}

// Poll calls each with every interval completed since the last call, and returns at the end of the file. It costs one read if nothing was
// added. After an error, the log cannot be followed further.
func (f *Follower) Poll(each func(Interval)) error {
	if f.file == nil {
		file, err := f.open()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow log: %w", err)
		}
		f.file = file
	}
	for {
		n, err := f.file.Read(f.buffer)
		if perr := f.lines(f.buffer[:n], each); perr != nil {
			return perr
		}
		if errors.Is(err, io.EOF) {
			return f.shrunk()
		}
		if err != nil {
			return fmt.Errorf("follow log: %w", err)
		}
	}
}

// Finish reads the rest, after the writer has ended. A last line without a line break counts as complete.
func (f *Follower) Finish(each func(Interval)) error {
	if err := f.Poll(each); err != nil {
		return err
	}
	if len(f.partial) == 0 {
		return nil
	}
	rest := f.partial
	f.partial = nil
	return f.line(rest, each)
}

// Close closes the file. Finish does not.
func (f *Follower) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

func (f *Follower) lines(data []byte, each func(Interval)) error {
	for {
		line, rest, found := bytes.Cut(data, []byte{'\n'})
		if !found {
			if len(f.partial)+len(data) > MaxLine {
				return fmt.Errorf("log line %d: %w", f.parser.line+1, errLongLine)
			}
			f.partial = append(f.partial, data...)
			return nil
		}
		if len(f.partial) > 0 {
			line = append(f.partial, line...)
			f.partial = nil
		}
		if err := f.line(line, each); err != nil {
			return err
		}
		data = rest
	}
}

func (f *Follower) line(line []byte, each func(Interval)) error {
	f.parser.Counters = f.Counters
	iv, ok, err := f.parser.Parse(string(line))
	if err != nil {
		return err
	}
	if ok {
		each(iv)
	}
	return nil
}

// shrunk returns an error if the log was truncated or restarted, so that earlier reads no longer match the file.
func (f *Follower) shrunk() error {
	at, err := f.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("follow log: %w", err)
	}
	info, err := f.file.Stat()
	if err != nil {
		return fmt.Errorf("follow log: %w", err)
	}
	if info.Size() < at {
		return fmt.Errorf("log %s shrank from %d to %d bytes while it was followed", f.name, at, info.Size())
	}
	return nil
}
