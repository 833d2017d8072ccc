// Package netdoc holds what the readers and writers of network formats share: what
// a file holds beside the network (File), noisy-MAX nodes (NoisyMAX), errors with
// line and column (package textpos), names as identifiers (Encode, Decode), a scanner of
// words, and a builder that makes a checked network of what a reader found.
//
// Users of networks want package format, where these types appear under the same names.
package netdoc

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// A File is what a network format holds: the network and what people wrote beside it.
// Maps are by the name of a variable and may be nil.
type File struct {
	Network *bn.Network
	Name    string            // of the network, may be empty
	Labels  map[string]string // what a drawing shows in place of the name
	// Comments are what people noted about a variable.
	Comments map[string]string
	// Positions are places in the drawing, in the unit and direction of the file they come from.
	Positions map[string]Point
	// NoisyMAX are the nodes that XDSL holds as such. Their tables stand expanded in the
	// network; a writer keeps the node only as long as both agree.
	NoisyMAX map[string]*NoisyMAX
	// Lost are sentences on what stood in the file and was not read.
	Lost []string
}

// A Point is a place in a drawing.
type Point struct{ X, Y float64 }

// ErrUnsupported is wrapped by errors about content that is no part of a Bayesian network
// over tables and linear-Gaussian nodes: decisions, instances of classes, equations,
// encrypted and binary files.
var ErrUnsupported = errors.New("not supported")

// Keeps says what a format has a place for. It is what a writer gives to [File.Check].
type Keeps struct {
	Format                                             string
	Name, Labels, Comments, Positions, NoisyMAX, Gauss bool
	// AnyText: the writer copes with zero bytes, and with labels and comments that are not UTF-8.
	AnyText bool
}

// Check returns an error for a network that the format cannot hold, and the sentences on
// what a writer will lose.
func (f *File) Check(k Keeps) (lost []string, err error) {
	if f == nil || f.Network == nil {
		return nil, say.Errorf("%s: no network to write", k.Format)
	}
	n := f.Network
	for v := range n.Len() {
		variable := n.Variable(v)
		if !variable.IsDiscrete() && !k.Gauss {
			return nil, say.Errorf("%s: %q: %w; the format has tables only, so discretise it first, or write a Hugin "+
				"net", k.Format, variable.Name, bn.ErrNotDiscrete)
		}
		for _, name := range append([]string{variable.Name}, variable.States...) {
			if fault := k.fault(name); fault != "" {
				return nil, say.Errorf("%s: variable %q: the name %q %s; rename it (Network.Renamed)", k.Format,
					variable.Name, name,
					fault)
			}
		}
		for _, x := range []struct {
			kept       bool
			what, text string
		}{{k.Labels, "label", f.Labels[variable.Name]}, {k.Comments, "comment", f.Comments[variable.Name]}} {
			if fault := k.fault(x.text); x.kept && !k.AnyText && fault != "" {
				return nil, say.Errorf("%s: variable %q: the %s %q %s; change it", k.Format, variable.Name, x.what,
					say.Short(x.text), fault)
			}
		}
		if at := f.Positions[variable.Name]; k.Positions &&
			!(math.Abs(at.X) <= math.MaxFloat64 && math.Abs(at.Y) <= math.MaxFloat64) {
			return nil,
				say.Errorf("%s: variable %q: the position (%v, %v) is no place; give it finite numbers, or none",
					k.Format, variable.Name, at.X, at.Y)
		}
	}
	if err := n.Validate(); err != nil {
		return nil, say.Errorf("%s: %w", k.Format, err)
	}
	if fault := k.fault(f.Name); k.Name && fault != "" {
		return nil, say.Errorf("%s: the name of the network, %q, %s; change it", k.Format, say.Short(f.Name), fault)
	}
	if f.Name != "" && !k.Name {
		lost = append(lost, fmt.Sprintf("%s has no place for the name of the network, %q.", k.Format, f.Name))
	}
	for _, x := range []struct {
		kept bool
		n    int
		what string
	}{
		{k.Labels, len(f.Labels), "labels"},
		{k.Comments, len(f.Comments), "comments"},
		{k.Positions, len(f.Positions), "positions"},
	} {
		if !x.kept && x.n > 0 {
			lost = append(lost, fmt.Sprintf("%s has no place for %s; those of %d variables are lost.", k.Format, x.what,
				x.n))
		}
	}
	return append(lost, f.lostNoisy(k)...), nil
}

// fault says why a text would make the file one that no reader takes, or takes as Windows-1252.
func (k Keeps) fault(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "is not UTF-8"
	case !k.AnyText && strings.Contains(text, "\x00"):
		return "has a zero byte"
	}
	return ""
}

// WideTable is how many entries the table of a noisy-MAX node may have that is written without being asked for.
const WideTable = 1 << 20

// CheckNoisy refuses to write noisy-MAX nodes as wide tables.
func (f *File) CheckNoisy() error {
	for v := range f.Network.Len() {
		name := f.Network.Variable(v).Name
		if t := f.Network.CPT(v); f.NoisyMAX[name] != nil && t != nil && len(t.P) > WideTable {
			return say.Errorf("%w: the noisy-MAX node %q would be a table of %d entries; write .xdsl, which has such "+
				"nodes, or delete it from File.NoisyMAX to have the table", bn.ErrTooLarge, name, len(t.P))
		}
	}
	return nil
}

// lostNoisy says which noisy-MAX nodes are written as tables.
func (f *File) lostNoisy(k Keeps) []string {
	var expanded, changed []string
	for v := range f.Network.Len() {
		name := f.Network.Variable(v).Name
		switch m := f.NoisyMAX[name]; {
		case m == nil:
		case !k.NoisyMAX:
			expanded = append(expanded, name)
		case f.Noisy(v) == nil:
			changed = append(changed, name)
		}
	}
	var lost []string
	if len(expanded) > 0 {
		lost = append(lost, fmt.Sprintf("%s has no noisy-MAX nodes; %s became plain tables.", k.Format,
			say.Quoted(expanded)))
	}
	if len(changed) > 0 {
		lost = append(lost, fmt.Sprintf("The tables of %s are no longer those of their noisy-MAX nodes, so they are "+
			"written as tables.", say.Quoted(changed)))
	}
	return lost
}

// Noisy returns the noisy-MAX node of variable v, nil when it has none or its table in
// the network is another.
func (f *File) Noisy(v int) *NoisyMAX {
	m := f.NoisyMAX[f.Network.Variable(v).Name]
	if m == nil {
		return nil
	}
	t, err := m.CPT()
	if err != nil || f.Network.CPT(v) == nil || !t.Equal(f.Network.CPT(v)) {
		return nil
	}
	return m
}
