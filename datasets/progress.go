package datasets

import (
	"io"
	"time"
)

// reportEvery is the time between two reports of progress.
const reportEvery = 100 * time.Millisecond

// A progressReader tells of the bytes that pass.
type progressReader struct {
	r           io.Reader
	done, total int64
	alive       func() // called at each byte that comes
	report      func(done int64)
	last        time.Time
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if n > 0 {
		p.done += int64(n)
		p.alive()
		if now := time.Now(); now.Sub(p.last) >= reportEvery {
			p.last = now
			p.report(p.done)
		}
	}
	return n, err
}
