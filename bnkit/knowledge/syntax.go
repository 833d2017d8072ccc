package knowledge

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"bnlab/internal/say"
)

// Limits of a file: a statement takes about a hundred bytes and six levels. The last four are on what
// takes the YAML library the square of its length.
const (
	maxBytes = 1 << 20
	maxDepth = 32
	maxEmpty = 100  // lines of white space in a row
	maxKeys  = 1000 // of one map that is not in braces
	maxNulls = 1000 // values that are left out
	maxTabs  = 500
)

// wrong makes an error about the place of a token.
func wrong(t *token.Token, format string, args ...any) error {
	return placeOf(t).wrong(say.Errorf(format, args...))
}

func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}

func errTooLong(bytes int) error {
	return fmt.Errorf("the file has %d bytes, %d at most are read; divide it", bytes, maxBytes)
}

// parse reads one document of plain YAML. What it would take long to read, or to unfold, is
// refused before the parser sees it.
func parse(b []byte) (root ast.Node, err error) {
	if len(b) > maxBytes {
		return nil, errTooLong(len(b))
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	for line, text := range bytes.Split(b, []byte("\n")) {
		if !utf8.Valid(text) {
			return nil, place{line + 1, 1}.wrong(
				errors.New("the line is not UTF-8 text; save the file as UTF-8"))
		}
	}
	if bytes.Count(b, []byte("\t")) > maxTabs {
		return nil, fmt.Errorf("the file has more than %d tabs; replace them by spaces", maxTabs)
	}
	if line := emptyLines(b); line > 0 {
		return nil, place{line, 1}.wrong(fmt.Errorf("more than %d empty lines in a row; take some out",
			maxEmpty))
	}
	defer func() { // no bytes are known that make the library panic, but it makes no promise
		if r := recover(); r != nil {
			root, err = nil, say.Errorf("no YAML: %v", r)
		}
	}()
	tokens := lexer.Tokenize(string(b))
	if err := plain(tokens); err != nil {
		return nil, err
	}
	if err := bounded(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	var syntax *yaml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, wrong(syntax.Token, "no YAML: %s", syntax.Message)
	case err != nil:
		return nil, say.Errorf("no YAML: %w", err)
	}
	for _, d := range file.Docs {
		switch {
		case d.Body == nil || d.Body.Type() == ast.CommentType:
		case root != nil:
			return nil, wrong(d.Body.GetToken(), "a second document; put each in a file of its own")
		default:
			root = d.Body
		}
	}
	if root == nil {
		return nil, errors.New("the file is empty; begin with a title and statements, as in title: risk")
	}
	return root, nil
}

// plain returns an error for the first token of YAML that knowledge files do without, and for
// brackets that are too deep.
func plain(tokens token.Tokens) error {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			return wrong(t, "anchors and aliases (& * <<) are not read; write out what is meant, or put a name with "+
				"such a sign in quotes")
		case token.TagType:
			return wrong(t, "tags (!) are not read; leave it out, or put a name with an exclamation mark in quotes")
		case token.DirectiveType:
			return wrong(t, "directives such as %%YAML are not read; leave it out")
		case token.MappingKeyType:
			return wrong(t, "a key with a question mark is not read; write key: value, or put a name that begins so "+
				"in quotes")
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		case token.SequenceEntryType:
			if t.Position.Column > 4*maxDepth {
				return wrong(t, "lists within lists, too many; no statement needs more than three")
			}
		}
		if depth > maxDepth {
			return wrong(t, "brackets within brackets, too many; no statement needs more than six")
		}
	}
	return nil
}
