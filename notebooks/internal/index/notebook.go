package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A notebook is a file with its cells.
type notebook struct {
	path  string
	raw   []byte
	cells []cell
}

type cell struct {
	Type    string `json:"cell_type"`
	Source  lines  `json:"source"`
	Outputs []struct {
		Data map[string]any `json:"data"`
	} `json:"outputs"`
}

// lines are a cell's text, which nbformat has as a list of lines or as one string.
type lines []string

func (l *lines) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*l = strings.SplitAfter(text, "\n")
		return nil
	}
	return json.Unmarshal(b, (*[]string)(l))
}

func (c cell) text() string { return strings.Join(c.Source, "") }

func readNotebook(root, name string) (*notebook, error) {
	n := &notebook{path: filepath.Join(root, "notebooks", name+".ipynb")}
	var err error
	if n.raw, err = os.ReadFile(n.path); err != nil {
		return nil, err
	}
	var file struct{ Cells []cell }
	if err := json.Unmarshal(n.raw, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", n.path, err)
	}
	if n.cells = file.Cells; len(n.cells) < 3 || n.cells[0].Type != "markdown" {
		return nil, fmt.Errorf("%s: does not begin with a title", n.path)
	}
	return n, nil
}

var (
	heading = regexp.MustCompile(`(?m)^## (.*)$`)
	next    = regexp.MustCompile(`Next: \[[^\]]+\]\([0-9][0-9]-[a-z]+\.ipynb\)`)
	link    = regexp.MustCompile(`\]\(([^)#]+\.(?:ipynb|md|csv|yaml))(?:#[^)]*)?\)`)
)

const contents = "**Contents.** "

// missing says what a reader would look for in vain.
func (n *notebook) missing() []string {
	var said []string
	name := filepath.Base(n.path)
	if !next.MatchString(n.cells[len(n.cells)-1].text()) {
		said = append(said, name+`: its last cell names no notebook to read next; write "Next: [NN-id](NN-id.ipynb)"`)
	}
	try := false
	for i, c := range n.cells {
		if c.Type != "markdown" {
			continue
		}
		if strings.Contains(c.text(), "**Try this.**") {
			try = try || i+1 < len(n.cells) && n.cells[i+1].Type == "code"
		}
		for _, to := range link.FindAllStringSubmatch(c.text(), -1) {
			if strings.Contains(to[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(n.path), to[1])); err != nil {
				said = append(said, fmt.Sprintf("%s: the link to %s leads nowhere", name, to[1]))
			}
		}
	}
	if !try {
		said = append(said, name+`: no "**Try this.**" above a code cell`)
	}
	return said
}

// withContents is the file with the list of its sections at the end of the first cell.
func (n *notebook) withContents() []byte {
	var sections []string
	for _, c := range n.cells {
		if c.Type == "markdown" {
			for _, h := range heading.FindAllStringSubmatch(c.text(), -1) {
				sections = append(sections, fmt.Sprintf("[%s](#%s)", h[1], anchor(h[1])))
			}
		}
	}
	text := n.cells[0].text()
	if at := strings.Index(text, contents); at >= 0 {
		text = text[:at]
	}
	text = strings.TrimRight(text, "\n") + "\n\n" + contents + strings.Join(sections, " · ")
	return bytes.Replace(n.raw, encode(n.cells[0].Source), encode(strings.SplitAfter(text, "\n")), 1)
}

// anchor is what Jupyter calls a heading.
func anchor(heading string) string {
	return strings.NewReplacer(" ", "-", "(", "%28", ")", "%29", "*", "", "`", "", `"`, "%22").Replace(heading)
}

// encode writes lines as Jupyter does.
func encode(lines []string) []byte {
	var b bytes.Buffer
	for i, line := range lines {
		if i > 0 {
			b.WriteString(",\n    ")
		}
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.Encode(line) // a string cannot fail
		b.Truncate(b.Len() - 1)
	}
	return b.Bytes()
}

var mark = regexp.MustCompile(`<!--.*?-->`)

// minutes is how long it takes to read: 200 words of text, or 40 lines of code, a minute.
func (n *notebook) minutes() int {
	words, lines := 0, 0
	for _, c := range n.cells {
		if c.Type == "markdown" {
			words += len(strings.Fields(mark.ReplaceAllString(c.text(), "")))
		} else {
			lines += len(c.Source)
		}
	}
	return (words/200+lines/40)/5*5 + 5
}
