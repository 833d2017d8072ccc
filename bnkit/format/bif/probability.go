package bif

import (
	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// probability reads "( child | parents ) { rows }". The block begins at byte begin.
// Where one of its variables has no block yet, it is left for later.
func (p *parser) probability(begin int) error {
	if !p.accept('(') {
		return p.unexpected("(")
	}
	p.heads++
	var family []int
	bar := false
	at := p.pos
	for p.separators(); !p.accept(')'); p.separators() {
		if len(family) == 1 && !bar && p.accept('|') {
			bar = true
			continue
		}
		nameAt := p.pos
		i, ok := p.rawVariable()
		var name []byte
		if !ok {
			if name, ok = p.name(); !ok {
				return p.unexpected("a variable or )")
			}
			i, ok = p.index[string(name)]
		} else {
			name = []byte(p.vars[i].Name)
		}
		if !ok && !p.last {
			p.waiting = append(p.waiting, begin)
			return p.pass()
		}
		if !ok {
			return p.errorAt(nameAt, "%w %q: no variable block declares it", bn.ErrUnknownVariable, say.Short(name))
		}
		if p.vars[i].seenIn == p.heads {
			return p.errorAt(nameAt, "%w: variable %q appears twice in the head of a probability block",
				bn.ErrDuplicate, say.Short(name))
		}
		p.vars[i].seenIn = p.heads
		if len(family) == 0 {
			at = nameAt
		}
		family = append(family, i)
	}
	if len(family) == 0 {
		return p.errorAt(at, "the probability block names no variable")
	}
	child := &p.vars[family[0]]
	if child.tableAt >= 0 {
		return p.errorAt(at, "variable %q has a probability block in line %d already", say.Short(child.Name),
			p.line(child.tableAt))
	}
	child.tableAt, child.parents = at, family[1:]
	if !p.accept('{') {
		return p.unexpected("{")
	}
	return p.body(child)
}

// pass skips the rest of a block: to the brace that closes the next one.
func (p *parser) pass() error {
	for {
		switch p.peek() {
		case 0:
			if p.pos == len(p.src) {
				return p.unexpected("}")
			}
			p.pos++
		case '}':
			p.pos++
			return nil
		default:
			if word, ok := p.name(); !ok {
				if p.pos == len(p.src) {
					return p.unexpected("}")
				}
				p.pos++
			} else if string(word) == "property" && !p.property() {
				return p.unexpected("the ; that ends a property")
			}
		}
	}
}
