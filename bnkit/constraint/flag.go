package constraint

import "fmt"

// A FlagKind says what is wrong with an estimated distribution.
type FlagKind int

const (
	// Unidentified: the data do not determine the distribution, or a part of it.
	Unidentified FlagKind = iota
	// ZeroProbability: a state never seen got probability zero, so a new case in
	// that state has log score −∞. Pseudocounts mend it.
	ZeroProbability
)

// String names the kind.
func (k FlagKind) String() string {
	if k == ZeroProbability {
		return "zero probability"
	}
	return "not identified"
}

// A Flag marks a distribution whose estimate should not be taken at face value.
type Flag struct {
	Kind  FlagKind
	Var   string
	Given string // the parent configuration, empty without parents
	Text  string // what happened and what was done
}

// String prints the flag as a sentence.
func (f Flag) String() string {
	s := "P(" + f.Var
	if f.Given != "" {
		s += " | " + f.Given
	}
	return s + "): " + f.Kind.String() + ": " + f.Text
}

func (p *Problem) flag(row Row, kind FlagKind, text string) Flag {
	return Flag{Kind: kind, Var: p.net.Variable(row.Var).Name, Given: p.given(row), Text: text}
}

// Flags reports, for the estimate theta that Maximize gave for the effective
// counts n, every distribution that the counts leave open and every one with a
// probability of zero, in the order of the network.
func (p *Problem) Flags(theta, n []float64) []Flag {
	byRow := make(map[Row][]Flag)
	for _, row := range p.free {
		lo, hi := p.layout.Row(row.Var, row.Config)
		total := 0.0
		for _, x := range n[lo:hi] {
			total += x
		}
		if total == 0 {
			byRow[row] = append(byRow[row], p.flag(row, Unidentified, "no cases with these parent states; made uniform"))
		}
	}
	for _, part := range p.parts {
		for row, flags := range part.flags(p, n) {
			byRow[row] = append(byRow[row], flags...)
		}
	}
	var out []Flag
	for v := range p.net.Len() {
		t := p.net.CPT(v)
		if t == nil {
			continue
		}
		for config := range t.Configs().Len() {
			row := Row{v, config}
			out = append(out, byRow[row]...)
			lo, hi := p.layout.Row(v, config)
			zeros := 0
			for _, x := range theta[lo:hi] {
				if x == 0 {
					zeros++
				}
			}
			if zeros > 0 {
				out = append(out, p.flag(row, ZeroProbability, fmt.Sprintf("%d of %d states were never seen; add a pseudocount if they are possible", zeros, hi-lo)))
			}
		}
	}
	return out
}
