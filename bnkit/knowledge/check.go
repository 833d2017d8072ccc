package knowledge

import (
	"errors"
	"fmt"
	"strings"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// Check checks the statements against a network, that of [File.Network] or another with the same
// names, first one by one, then together. The errors, joined, are *format.SyntaxErrors with line
// and statement, for
//
//   - a variable or state that the network does not have, with the name that was meant;
//   - an influence or a synergy of a variable that is declared nominal;
//   - a strength that is no probability, or below 1 of what is no inequality;
//   - whatever else keeps a statement from being bound to the network;
//   - statements that contradict each other, with all their lines (wrapping
//     [constraint.ErrInfeasible]).
func (k *File) Check(net *bn.Network) error {
	if net == nil {
		return k.fail(place{}, 0, errors.New("no network to check against; use that of Network"))
	}
	var wrong []error
	for i, e := range k.Entries {
		if at, err := k.checkEntry(net, e); err != nil {
			wrong = append(wrong, k.fail(at, i+1, err))
		}
	}
	if wrong != nil {
		return errors.Join(wrong...)
	}
	_, tables, err := constraint.BindWeights(net, k.Statements()...)
	if err == nil {
		_, err = constraint.Compile(net, tables...)
	}
	if err != nil {
		return k.together(err)
	}
	return nil
}

// checkEntry looks at one statement by itself.
func (k *File) checkEntry(net *bn.Network, e Entry) (place, error) {
	if e.isEmpty() {
		return e.at, errors.New("there is no statement; leave the entry out")
	}
	said, _, _ := bare(e.Statement)
	for _, n := range namesIn(net, said) {
		if err := n.check(net); err != nil {
			if at, ok := e.words[n.text]; ok {
				return at, err
			}
			return e.at, err
		}
	}
	if err := e.checkStrength(); err != nil {
		return e.at, err
	}
	if name := k.nominal(said); name != "" {
		return e.at, say.Errorf("%q speaks of the order of the states of %q, which is declared nominal; leave out "+
			"nominal: true and list its states lowest first, or leave out the statement", e.Statement, name)
	}
	_, err := e.Statement.Bind(net)
	return e.at, err
}

// nominal names a variable without order whose order a statement is about.
func (k *File) nominal(s constraint.Constraint) string {
	var about []string
	switch s := s.(type) {
	case constraint.Influence:
		about = []string{s.Parent, s.Child}
	case *constraint.Influence:
		about = []string{s.Parent, s.Child}
	case constraint.Synergy:
		about = append(append(about, s.Parents...), s.Child)
	case *constraint.Synergy:
		about = append(append(about, s.Parents...), s.Child)
	}
	for _, name := range about {
		at, ok := nfc.Find(k.Variables, func(v Variable) string { return v.Name }, name)
		if ok && k.Variables[at].Nominal {
			return name
		}
	}
	return ""
}

// together adds to an error about several statements, which quotes them, where these stand.
func (k *File) together(err error) error {
	var first place
	var where []string
	for i, e := range k.Entries {
		if !strings.Contains(err.Error(), fmt.Sprintf("%q", e.Statement)) {
			continue
		}
		if where == nil {
			first = e.at
		}
		text := fmt.Sprintf("statement %d", i+1)
		if e.at.line > 0 {
			text += fmt.Sprintf(" in line %d", e.at.line)
		}
		where = append(where, text)
	}
	if where != nil {
		err = say.Errorf("%w (%s)", err, say.List(where))
	}
	return k.fail(first, 0, err)
}
