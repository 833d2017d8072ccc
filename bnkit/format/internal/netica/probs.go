package netica

import (
	"math"
	"slices"
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
)

// A sureRow is a row of a table that the file does not spell out: one state is certain. When the state is negative
// it is a row, or one entry, that is impossible or undefined.
type sureRow struct{ before, state, at int } // before is the place in the list of numbers

// prob reads a number, a row such as #0, in which one state is certain, or @imposs and @undef.
func (p *parser) prob(f *fields, t netdoc.Token) error {
	switch t.Kind {
	case '@':
		if _, err := p.Expect(netdoc.Word, "imposs or undef"); err != nil {
			return err
		}
		f.rows = append(f.rows, sureRow{len(f.probs), -1, t.At})
		return nil
	case '#':
		number, err := p.Expect(netdoc.Number, "the number of a state")
		if err != nil {
			return err
		}
		s, err := strconv.Atoi(number.Text)
		if err != nil || s < 0 {
			return p.Unexpected(number, "the number of a state")
		}
		f.rows = append(f.rows, sureRow{len(f.probs), s, t.At})
		return nil
	}
	x, err := p.Probability(t)
	f.probs = append(f.probs, x)
	return err
}

// unsaid is a node with rows that the file does not spell out.
type unsaid struct {
	*netdoc.Node
	rows []sureRow
}

// spell puts the rows of a node into its table. Whether @imposs stands for a row or for an entry, which both occur, is
// told by how many numbers the table needs.
func (p *parser) spell(n unsaid) error {
	r := len(n.States)
	if r == 0 {
		return nil // which the builder reports
	}
	need, impossible := r, 0
	for _, ref := range n.Parents {
		if parent := p.b.Node(ref.Name); parent != nil && need <= math.MaxInt/max(1, len(parent.States)) {
			need *= max(1, len(parent.States)) // of more than an int holds the builder reports
		}
	}
	for _, row := range n.rows {
		if row.state < 0 {
			impossible++
		}
	}
	each := r
	if len(n.Table)+impossible+(len(n.rows)-impossible)*r == need {
		each = 1
	}
	if err := p.b.Imply(n.TableAt, len(n.rows)*r, "the table of %q", say.Short(n.Name)); err != nil {
		return err
	}
	out, from := make([]float64, 0, len(n.Table)+len(n.rows)*r), 0
	for _, row := range n.rows {
		out = append(out, n.Table[from:row.before]...)
		from = row.before
		switch at := len(out); {
		case row.state < 0:
			out = append(out, slices.Repeat([]float64{math.NaN()}, each)...)
		case row.state < r:
			out = append(out, make([]float64, r)...)
			out[at+row.state] = 1
		default:
			return p.ErrorAt(row.at, "%w: #%d of node %q, whose %d states are counted from 0", bn.ErrUnknownState,
				row.state, say.Short(n.Name), r)
		}
	}
	n.Table = append(out, n.Table[from:]...)
	return nil
}
