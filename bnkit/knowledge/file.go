package knowledge

import (
	"errors"
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/constraint"
	"bnlab/internal/limit"
	"bnlab/internal/nfc"
	"bnlab/internal/say"
)

// A File is the content of a knowledge file. [File.Write] writes one made in a program. Several
// goroutines may read it concurrently.
type File struct {
	Title string `json:",omitempty"`
	// Model is the structure of the network as a model string, see [bn.ParseDAG]: the key
	// "network" of a file. A file of statements alone has none.
	Model string `json:",omitempty"`
	// Variables of the network, in any order.
	Variables []Variable `json:",omitempty"`
	// Entries are the statements with their sources: the key "statements" of a file.
	Entries []Entry `json:",omitempty"`
	// MaxCells limits the total number of entries of the tables of Network; 0 means 2^22 (32 MB).
	// It is not a key of the file.
	MaxCells int `json:"-"`

	path string // for errors
}

// An Entry is a statement with its provenance, which appears in the frame of bnkit.AuditKnowledge.
type Entry struct {
	Statement constraint.Constraint
	Source    string // who says it: a paper and section, an expert
	Mark      string // a short sign for the kind of source, as in "P: stated in the paper"
	// Strength is the probability of the statement before data, as in [File.Strengths]; 0 is none given. In a file it
	// is a number above 0, or one of the words certain (1), nearly certain (0.95), likely (0.8) and a guess (0.5).
	// Below 1 it is for inequalities. Of the methods only learn.Averaged uses it: in others a statement holds or is
	// left out.
	Strength float64

	at    place
	words map[string]place // where each name in it stands first
}

// A place is a position in a file, counted from 1; the column in characters.
type place struct{ line, column int }

// wrong makes an error about a place, which learns of its file from [Parse].
func (p place) wrong(err error) error { return &syntaxError{Line: p.line, Column: p.column, Err: err} }

// Line is where the entry begins in the file that it was read from, 0 for an entry made in
// a program.
func (e Entry) Line() int { return e.at.line }

// isEmpty reports whether there is no statement, or a nil pointer to one.
func (e Entry) isEmpty() bool {
	if isNil(e.Statement) {
		return true
	}
	s, _, _ := bare(e.Statement)
	return isNil(s)
}

// Statements returns the statements in the order of the file.
func (k *File) Statements() []constraint.Constraint {
	list := make([]constraint.Constraint, len(k.Entries))
	for i, e := range k.Entries {
		list[i] = e.Statement
	}
	return list
}

// Sentences returns the statements as sentences, in the order of the file. That of an entry
// without a statement is empty.
func (k *File) Sentences() []string {
	list := make([]string, len(k.Entries))
	for i, e := range k.Entries {
		if !e.isEmpty() {
			list[i] = e.Statement.String()
		}
	}
	return list
}

// Network returns the network that the file declares, with uniform tables. It returns an
// error when the file has no structure, when a variable is declared twice, when one of the
// structure is not declared or the other way round, and when its tables would have more entries than
// MaxCells ([bn.ErrTooLarge]).
func (k *File) Network() (*bn.Network, error) {
	dag, vars, err := k.structure()
	if err != nil {
		return nil, err
	}
	if err := k.checkSize(dag, vars); err != nil {
		return nil, k.fail(place{}, 0, err)
	}
	net, err := bn.NewNetwork(dag, vars)
	if err != nil {
		return nil, k.fail(place{}, 0, err)
	}
	return net, nil
}

// structure returns the graph and its variables.
func (k *File) structure() (*bn.DAG, []bn.Variable, error) {
	if k.Model == "" {
		return nil, nil, k.fail(place{}, 0,
			errors.New(`the file declares no structure; add one, as in network: "[A][B|A]"`))
	}
	if err := k.checkNames(); err != nil {
		return nil, nil, err
	}
	dag, err := bn.ParseDAG(k.Model)
	if err != nil {
		return nil, nil, k.fail(place{}, 0, err)
	}
	declared, there := make(map[string]Variable, len(k.Variables)), make([]string, len(k.Variables))
	for i, v := range k.Variables {
		declared[v.Name], there[i] = v, v.Name
	}
	vars := make([]bn.Variable, dag.Len())
	for v := range vars {
		name := dag.Name(v)
		d, ok := declared[name]
		if !ok { // it may be composed otherwise
			var twin string
			twin, ok = nfc.Name(there, name)
			d = declared[twin]
		}
		if !ok {
			return nil, nil, k.fail(place{}, 0,
				say.Errorf("%w %q: it is not declared%s; add it to the variables, as in - {name: %s, states: [low, "+
					"high]}", bn.ErrUnknownVariable, name, guess(name, there), name))
		}
		vars[v] = d.Variable()
		vars[v].Name = name // as the structure spells it
	}
	for _, v := range k.Variables {
		if _, err := dag.Index(v.Name); err == nil {
			continue
		}
		if _, ok := nfc.Name(names(vars), v.Name); !ok {
			return nil, nil, k.fail(v.at, 0,
				say.Errorf("%w %q: it is declared, but has no place in the network%s; add [%s] to the structure, or "+
					"leave it out", bn.ErrUnknownVariable, v.Name, guess(v.Name, names(vars)), v.Name))
		}
	}
	return dag, vars, nil
}

// checkSize refuses tables of more entries than MaxCells before any is made.
func (k *File) checkSize(dag *bn.DAG, vars []bn.Variable) error {
	most := k.MaxCells
	if most <= 0 {
		most = limit.Cells
	}
	left := most
	for v, child := range vars {
		var cards []int
		each := max(child.Cardinality(), 1) // entries in a configuration: states, or weights and two more
		for _, p := range dag.Parents(v) {
			if vars[p].IsDiscrete() {
				cards = append(cards, vars[p].Cardinality())
			} else {
				each++
			}
		}
		configs, err := bn.NewConfigs(cards...)
		if err != nil {
			return say.Errorf("%w (family of %q)", err, child.Name)
		}
		if configs.Len() > left/each {
			return &limit.Error{
				What: fmt.Sprintf("the tables up to that of %q with its %d parents, %d configurations of %d",
					child.Name, len(dag.Parents(v)), configs.Len(), each),
				Most: int64(most), Unit: "entries", Option: "MaxCells of the knowledge file",
			}
		}
		left -= configs.Len() * each
	}
	return nil
}

// checkNetwork is an error for variables and a structure that are no network, which neither a file nor what is to
// become one may have.
func (k *File) checkNetwork() error {
	if err := k.checkNames(); err != nil {
		return err
	}
	if k.Model != "" && k.Variables != nil {
		if _, err := k.Network(); err != nil && !errors.Is(err, bn.ErrTooLarge) { // which Network says again
			return err
		}
	}
	return nil
}

// checkNames is an error for a variable that is declared twice.
func (k *File) checkNames() error {
	seen := make(map[string]bool)
	for _, v := range k.Variables {
		if seen[v.Name] {
			return k.fail(v.at, 0, say.Errorf("%w: the variable %q is declared twice; keep one", bn.ErrDuplicate,
				v.Name))
		}
		seen[v.Name] = true
	}
	return nil
}

func names(vars []bn.Variable) []string {
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = v.Name
	}
	return list
}
