package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"bnlab/internal/say"
)

// A transfer brings the bytes of one URL into a part file.
type transfer struct {
	url, name string
	part      string // file that grows
	size      int64  // expected, 0 if not known
	limit     int64  // most that is accepted
	checked   bool   // a checksum will show whether the pieces fit
	settings  *Settings
}

// errRestart says that the part file and the server do not fit together.
var errRestart = errors.New("the server cannot continue the transfer")

// have returns the bytes that are there already.
func (t *transfer) have() int64 {
	info, err := os.Stat(t.part)
	if err != nil {
		return 0
	}
	return info.Size()
}

// discard removes the part file and what is known about it.
func (t *transfer) discard() {
	os.Remove(t.part)
	os.Remove(t.part + ".tag")
}

// run asks once, for the bytes that are not yet there, and returns nil when
// all are. resumed tells whether it went on from an earlier part.
func (t *transfer) run(ctx context.Context) (resumed bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timeout := t.settings.stallTimeout()
	stall := time.AfterFunc(timeout, func() { cancel(say.Errorf("%w (%v)", errStalled, timeout)) })
	defer stall.Stop()
	defer func() {
		if cause := context.Cause(ctx); err != nil && errors.Is(cause, errStalled) {
			err = cause
		}
	}()

	tag := t.tag()
	offset := t.have()
	if offset > 0 && (offset > t.limit || (tag == "" && !t.checked)) {
		t.discard()
		offset = 0
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url, nil)
	if err != nil {
		return false, err
	}
	req.Header.Set("Accept-Encoding", "identity") // or Range would count other bytes
	req.Header.Set("User-Agent", "bnlab-datasets")
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		if tag != "" {
			req.Header.Set("If-Range", tag)
		}
	}
	resp, err := t.settings.client().Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()

	switch resp.StatusCode {
	case http.StatusOK: // all of it: a server without ranges, or a new version
		offset = 0
	case http.StatusPartialContent:
		if start, ok := rangeStart(resp.Header.Get("Content-Range")); !ok || start != offset || offset == 0 {
			return false, errRestart
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if offset > 0 && resp.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", offset) {
			return true, nil // the part was complete
		}
		return false, errRestart
	default:
		return false, say.Errorf("the server answered %s", resp.Status)
	}
	total := int64(0)
	if resp.ContentLength >= 0 {
		total = offset + resp.ContentLength
	}
	if t.size > 0 && total > 0 && total != t.size {
		t.discard()
		return false, fmt.Errorf("%w: the server offers %d bytes, want %d", ErrChecksum, total, t.size)
	}
	return offset > 0, t.receive(resp, offset, total, func() { stall.Reset(timeout) })
}

// receive writes the body behind the first offset bytes of the part file.
func (t *transfer) receive(resp *http.Response, offset, total int64, alive func()) error {
	file, err := os.OpenFile(t.part, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return &localError{err}
	}
	defer file.Close()
	if err := file.Truncate(offset); err != nil {
		return &localError{err}
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return &localError{err}
	}
	if err := os.WriteFile(t.part+".tag", []byte(validator(resp.Header)), 0o644); err != nil {
		return &localError{err}
	}
	body := &progressReader{r: resp.Body, done: offset, total: total, alive: alive,
		report: func(done int64) { t.settings.report(t.name, done, total) }}
	n, err := io.Copy(diskWriter{file}, io.LimitReader(body, t.limit-offset+1))
	t.settings.report(t.name, offset+n, total)
	if err != nil {
		return err
	}
	if offset+n > t.limit {
		t.discard()
		return fmt.Errorf("%w: more than %d bytes came", ErrChecksum, t.limit)
	}
	if err := file.Close(); err != nil {
		return &localError{err}
	}
	return nil
}

// tag returns the validator that the server gave with the part.
func (t *transfer) tag() string {
	tag, err := os.ReadFile(t.part + ".tag")
	if err != nil {
		return ""
	}
	return string(tag)
}

// validator returns what If-Range needs: a strong entity tag, or the date.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

// rangeStart reads the first number of "bytes 100-199/200".
func rangeStart(contentRange string) (int64, bool) {
	rest, ok := strings.CutPrefix(contentRange, "bytes ")
	if !ok {
		return 0, false
	}
	first, _, ok := strings.Cut(rest, "-")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(first, 10, 64)
	return n, err == nil
}
