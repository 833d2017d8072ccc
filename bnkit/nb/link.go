package nb

import (
	"fmt"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// A link carries what is shown to the kernel. A kernel that has gone away would let
// the program wait for ever; the link gives up after a time, says so once, and drops
// what follows.
type link struct {
	deliver  func(d *protocol.DisplayData) // returns when d has arrived
	patience time.Duration
	broken   bool
}

func newLink() *link {
	return &link{patience: 30 * time.Second, deliver: func(d *protocol.DisplayData) {
		gonbui.SendData(d)
		gonbui.Sync()
	}}
}

func (l *link) send(d *protocol.DisplayData) {
	if l.broken {
		return
	}
	arrived := make(chan struct{})
	go func() {
		l.deliver(d)
		close(arrived)
	}()
	select {
	case <-arrived:
		if err := gonbui.Error(); err != nil {
			l.broken = true
			fmt.Fprintln(stderr, "nb: the notebook cannot be reached, what follows is not shown:", err)
		}
	case <-time.After(l.patience):
		l.broken = true
		fmt.Fprintf(stderr, "nb: the notebook does not answer since %v, what follows is not shown\n", l.patience)
	}
}
