package knowledge

import (
	"github.com/goccy/go-yaml/token"
)

// emptyLines returns the line at which there are too many empty lines in a row, 0 when there is none.
// As the library does, it takes a carriage return for the end of a line too.
func emptyLines(b []byte) int {
	line, empty := 1, 0
	for i, c := range b {
		switch c {
		case '\n', '\r':
			if c == '\n' && i > 0 && b[i-1] == '\r' {
				continue
			}
			line++
			if empty++; empty > maxEmpty+1 { // the first ends a line that may have text
				return line
			}
		case ' ', '\t':
		default:
			empty = 0
		}
	}
	return 0
}

// bounded returns an error for a block map of too many keys, and for too many values that are left
// out. The parser copies a block map at each key, and moves all tokens at each value it has to insert.
func bounded(tokens token.Tokens) error {
	type block struct{ column, keys int }
	var blocks []block // the maps that a token stands in, by column
	type bracket struct{ isMap, hasValue bool }
	var brackets []bracket
	nulls := 0
	for i, t := range tokens {
		isNull := false
		in := len(brackets) - 1
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			brackets = append(brackets, bracket{isMap: t.Type == token.MappingStartType})
		case token.MappingEndType, token.SequenceEndType:
			brackets = brackets[:max(in, 0)]
		case token.CollectEntryType:
			if in >= 0 && brackets[in].isMap {
				isNull = !brackets[in].hasValue
				brackets[in].hasValue = false
			}
		case token.SequenceEntryType, token.MappingValueType:
			isKey, column := t.Type == token.MappingValueType, t.Position.Column
			if isKey && in >= 0 {
				brackets[in].hasValue = true
				isNull = lacksValue(tokens[i:], 0)
				break
			}
			if isKey {
				column = tokens[max(i-1, 0)].Position.Column
			}
			for len(blocks) > 0 && blocks[len(blocks)-1].column > column {
				blocks = blocks[:len(blocks)-1]
			}
			isNull = lacksValue(tokens[i:], column)
			if !isKey {
				break
			}
			if len(blocks) == 0 || blocks[len(blocks)-1].column < column {
				blocks = append(blocks, block{column: column})
			}
			if at := &blocks[len(blocks)-1]; at.keys == maxKeys {
				return wrong(t, "a map of more than %d keys; put it in braces, as in {a: 1, b: 2}", maxKeys)
			} else {
				at.keys++
			}
		}
		if isNull {
			if nulls++; nulls > maxNulls {
				return wrong(t, "more than %d values are left out; write them, or take the keys out", maxNulls)
			}
		}
	}
	return nil
}

// lacksValue reports whether nothing stands after the colon or dash that tokens begin with, of a key or
// dash in a column, 0 within brackets.
func lacksValue(tokens token.Tokens, column int) bool {
	for _, next := range tokens[1:] {
		switch next.Type {
		case token.CommentType:
			continue
		case token.CollectEntryType, token.MappingEndType, token.SequenceEndType, token.DocumentHeaderType,
			token.DocumentEndType:
			return true
		}
		if next.Position.Line == tokens[0].Position.Line {
			return false
		}
		isList := tokens[0].Type == token.MappingValueType && next.Type == token.SequenceEntryType
		return next.Position.Column < column || next.Position.Column == column && !isList
	}
	return true
}
