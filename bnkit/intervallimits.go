package bnkit

import (
	"fmt"
	"slices"

	"bnlab/bnkit/constraint"
	"bnlab/internal/english"
)

// limits says what draws of some tables take for granted and the cases of the fit do not grant: statements and a graph
// that the same cases suggested, and weights that make more cases of the rows than there are.
func (m *Model) limits(names []string) (notes []string, err error) {
	is, err := m.Suggested()
	if err != nil {
		return nil, err
	}
	n := 0
	for i, s := range m.Statements {
		of := ""
		switch s := s.(type) {
		case constraint.ShareStates:
			of = s.Var
		case constraint.ShareAcross:
			of = s.Var
		}
		if is[i] && slices.Contains(names, of) {
			n++
		}
	}
	if n > 0 {
		notes = append(notes, "too narrow: these cases suggested "+english.Count(n, "statement")+
			" that the draws take for granted")
	}
	if m.provenance == nil {
		return notes, nil
	}
	if m.provenance.Structure != "" {
		notes = append(notes, "given the graph, which was learned from the same cases: too narrow if it is not sure")
	}
	if rows := m.provenance.Rows; m.provenance.Weight != "" && rows > 0 && m.Cases > float64(rows)*(1+1e-9) {
		notes = append(notes, fmt.Sprintf("by weight %.6g independent cases, of %s", m.Cases,
			english.Count(rows, "row")))
	}
	return notes, nil
}
