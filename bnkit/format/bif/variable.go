package bif

import (
	"strconv"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// variable is what is known about a variable while the file is read.
type variable struct {
	bn.Variable
	at      int            // place of its name in the file
	bare    bool           // no state needs quotes
	index   map[string]int // states, when there are many
	tableAt int            // place of its name in its probability block, or -1
	seenIn  int            // number of the last head of a probability block that names it
	parents []int
	table   *bn.CPT
}

// variable reads "name { type discrete [ 2 ] { yes, no }; }".
func (p *parser) variable() error {
	p.skip()
	v := variable{at: p.pos, bare: true, tableAt: -1}
	name, ok := p.name()
	if !ok {
		return p.unexpected("the name of a variable")
	}
	if len(name) == 0 {
		return p.errorAt(v.at, "a variable has an empty name")
	}
	if first, ok := p.index[string(name)]; ok {
		return p.errorAt(v.at, "%w: variable %q has a block in line %d already", bn.ErrDuplicate, say.Short(name),
			p.line(p.vars[first].at))
	}
	v.Name = string(name)
	if !p.accept('{') {
		at := p.pos
		p.pos = v.at
		if name, ok = p.rawName(); !ok {
			p.pos = at
			return p.unexpected("{")
		}
		if first, ok := p.index[string(name)]; ok {
			return p.errorAt(v.at, "%w: variable %q has a block in line %d already", bn.ErrDuplicate, say.Short(name),
				p.line(p.vars[first].at))
		}
		v.Name = string(name)
		p.pos++
	}
	p.odd = p.odd || !isBare(v.Name)
	for !p.accept('}') {
		start := p.pos
		word, _ := p.bareName()
		switch {
		case string(word) == "property":
			if !p.property() {
				return p.unexpected("the ; that ends a property")
			}
		case string(word) == "type" && v.States == nil:
			if err := p.typ(&v); err != nil {
				return err
			}
		case string(word) == "type":
			return p.errorAt(start, "variable %q has two types", say.Short(name))
		default:
			p.pos = start
			return p.unexpected("type, property or }")
		}
	}
	if v.States == nil {
		return p.errorAt(v.at, "variable %q has no type; write for example type discrete [ 2 ] { no, yes };",
			say.Short(name))
	}
	p.index[v.Name] = len(p.vars)
	p.vars = append(p.vars, v)
	return nil
}

// manyStates is the number of states from which a map finds one faster than a scan.
const manyStates = 16

// typ reads what follows the keyword type.
func (p *parser) typ(v *variable) error {
	p.skip()
	at := p.pos
	switch word, _ := p.bareName(); string(word) {
	case "discrete":
	case "continuous":
		return p.errorAt(at, "%q: %w; BIF has tables only, so discretise it before the network is written",
			say.Short(v.Name), bn.ErrNotDiscrete)
	default:
		p.pos = at
		return p.unexpected("discrete")
	}
	declared := ""
	declaredAt := p.pos
	if p.accept('[') {
		p.skip()
		declaredAt = p.pos
		word, ok := p.name()
		if !ok {
			return p.unexpected("the number of states")
		}
		declared = say.Short(word)
		if !p.accept(']') {
			return p.unexpected("]")
		}
	}
	if !p.accept('{') {
		return p.unexpected("{")
	}
	v.States = []string{}
	from, odd := p.pos, false
	for p.separators(); !p.accept('}'); p.separators() {
		at := p.pos
		name, ok := p.name()
		if odd = !ok; odd {
			break
		}
		if len(name) == 0 {
			return p.errorAt(at, "a state of %q has an empty name", say.Short(v.Name))
		}
		if _, ok := v.find(name); ok {
			return p.errorAt(at, "%w: variable %q has the state %q twice", bn.ErrDuplicate, say.Short(v.Name),
				say.Short(name))
		}
		if len(v.States) == bn.MaxStates {
			return p.errorAt(at, "variable %q has more than %d states", say.Short(v.Name), bn.MaxStates)
		}
		v.add(string(name))
	}
	if n, err := strconv.Atoi(declared); odd || declared != "" && (err != nil || n != len(v.States)) {
		end := p.pos
		p.pos = from
		states, brace := p.rawStates(n)
		if p.pos = end; states != nil {
			if err := v.replace(states); err != nil {
				return p.errorAt(from, "%w", err)
			}
			p.pos, odd = brace+1, false
		}
	}
	if odd {
		return p.unexpected("a state or }")
	}
	p.accept(';')
	if n, err := strconv.Atoi(declared); declared != "" && (err != nil || n != len(v.States)) {
		return p.errorAt(declaredAt, "variable %q declares %s states and lists %d (a name with a space needs double "+
			"quotes)", say.Short(v.Name), declared, len(v.States))
	}
	if len(v.States) == 0 {
		return p.errorAt(declaredAt, "variable %q has no states", say.Short(v.Name))
	}
	return nil
}

// replace sets the states anew.
func (v *variable) replace(states []string) error {
	v.States, v.index, v.bare = v.States[:0], nil, true
	for _, s := range states {
		if _, ok := v.find([]byte(s)); ok {
			return say.Errorf("%w: variable %q has the state %q twice", bn.ErrDuplicate, say.Short(v.Name),
				say.Short(s))
		}
		v.add(s)
	}
	return nil
}

func (v *variable) add(state string) {
	if len(v.States) == manyStates {
		v.index = make(map[string]int, 2*manyStates)
		for i, s := range v.States {
			v.index[s] = i
		}
	}
	if v.index != nil {
		v.index[state] = len(v.States)
	}
	v.States = append(v.States, state)
	v.bare = v.bare && isBare(state)
}

// find returns the position of a state.
func (v *variable) find(state []byte) (int, bool) {
	if v.index != nil {
		i, ok := v.index[string(state)]
		return i, ok
	}
	for i, s := range v.States {
		if s == string(state) {
			return i, true
		}
	}
	return 0, false
}
