package genie

import (
	"errors"

	"bnlab/bnkit/format/internal/netdoc"
	"bnlab/internal/say"
	"bnlab/internal/textpos"
)

// equation reads y=0.3+0.9*x+Normal(0,0.2).
func (p *parser) equation(n *netdoc.Node, c *netdoc.Element) error {
	for _, ref := range n.Parents {
		if parent := p.Node(ref.Name); parent != nil && !parent.Continuous {
			return p.ErrorAt(ref.At, "%w: the equation of %q has the discrete parent %q", netdoc.ErrUnsupported,
				say.Short(n.Name), say.Short(ref.Name))
		}
	}
	_, lower := netdoc.ParseNumber(c.Attr("lower"))
	_, upper := netdoc.ParseNumber(c.Attr("upper"))
	if lower || upper {
		p.bounded = append(p.bounded, n.Name)
	}
	s := netdoc.Scanner{Text: netdoc.Text{Format: format, Src: []byte(c.Text)}}
	d, err := equation(&s, n.Name)
	var inside *textpos.Error
	if errors.As(err, &inside) { // its place counts from the beginning of the equation
		return p.ErrorAt(c.TextAt, "equation of %q: %w", say.Short(n.Name), inside.Err)
	}
	d.At = c.TextAt
	for i := range d.Weights {
		d.Weights[i].At, d.Weights[i].Parent = c.TextAt, netdoc.Decode(d.Weights[i].Parent)
	}
	n.Normals = []netdoc.Normal{d}
	return err
}

func equation(s *netdoc.Scanner, name string) (d netdoc.Normal, err error) {
	left, err := s.Expect(netdoc.Word, "the name of the node")
	if err != nil {
		return d, err
	}
	if netdoc.Decode(left.Text) != name {
		return d, s.Unexpected(left, "the name of the node")
	}
	if _, err := s.Expect('=', "="); err != nil {
		return d, err
	}
	noise := false
	err = s.Linear(&d, func(t netdoc.Token) error {
		if t.Text != "Normal" || noise {
			return s.ErrorAt(t.At, "%w: %s(...) here; only a sum of numbers, numbers times parents and one "+
				"Normal(mean, standard deviation) is read", netdoc.ErrUnsupported, say.Short(t.Text))
		}
		noise = true
		return normal(s, &d)
	})
	if err != nil {
		return d, err
	}
	if t := s.Next(); t.Kind != netdoc.End || s.Failed() != nil {
		return d, s.Unexpected(t, "the end of the equation")
	}
	return d, nil
}

// normal reads "(0, 0.2)" or "(2*x+1, 0.5)" and adds it to the distribution.
func normal(s *netdoc.Scanner, d *netdoc.Normal) error {
	var mean, sd netdoc.Normal
	if _, err := s.Expect('(', "("); err != nil {
		return err
	}
	if err := s.Linear(&mean, nil); err != nil {
		return err
	}
	if _, err := s.Expect(',', ","); err != nil {
		return err
	}
	if err := s.Linear(&sd, nil); err != nil {
		return err
	}
	if len(sd.Weights) > 0 || !(sd.Intercept >= 0) {
		return s.ErrorAt(sd.At, "%w: Normal needs a number that is not negative as its standard deviation",
			netdoc.ErrUnsupported)
	}
	d.Add(mean)
	d.Variance = sd.Intercept * sd.Intercept
	_, err := s.Expect(')', ")")
	return err
}
