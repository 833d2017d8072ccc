package nb

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"io"
	"strconv"
	"strings"

	"bnlab/internal/atomicfile"
	"bnlab/internal/say"
)

// A block is HTML with its own style and script, and static pictures that are seen where no script runs.
type block struct {
	html  string
	about string // in a line
	live  string // the address at which its cell is to answer, if any
}

//go:embed page.js
var pageJS string

// blockOf writes a block of a kind: a function in the script, called with a root of its own, the data and the style.
func blockOf(kind, function, about, alt string, pictures [][]byte, script string, data any, css string) (*block,
	error) {
	numbers, err := json.Marshal(data) // escapes <, > and &
	if err != nil {
		return nil, say.Errorf("nb: %w", err)
	}
	style, err := json.Marshal(css)
	if err != nil {
		return nil, say.Errorf("nb: %w", err)
	}
	h := fnv.New64a() // by which the script finds its block; blocks that are alike may take over each other's
	h.Write(numbers)
	id := strconv.FormatUint(h.Sum64(), 36)
	var b strings.Builder
	fmt.Fprintf(&b, `<div data-bnlab-%s="%s"`+verbatim+`>`, kind, id)
	for _, png := range pictures {
		fmt.Fprintf(&b, `<img style="max-width:100%%" alt="%s" src="data:image/png;base64,%s">`, html.EscapeString(alt),
			base64.StdEncoding.EncodeToString(png))
	}
	const rest = `</div>
<script>(() => {
"use strict";
%s
%s
takeOver("%s", "%s", root => %s(root, %s, %s));
})();</script>
`
	fmt.Fprintf(&b, rest, pageJS, script, kind, id, function, numbers, style)
	return &block{html: b.String(), about: about}, nil
}

// file is a page of its own.
func (p *block) file() string {
	return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>` + html.EscapeString(p.about) + `</title></head>
<body>
` + p.html + `</body></html>
`
}

// save writes a file of its own.
func (p *block) save(path string) error {
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, p.file())
		return err
	})
	if err != nil {
		return say.Errorf("nb: %w", err)
	}
	return nil
}
