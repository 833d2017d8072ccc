package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bnlab/bnkit"
	"bnlab/bnkit/bn"
	"bnlab/bnkit/nb"
	"bnlab/internal/say"
)

// asCell is the argument that makes this program show the table of a case, as a cell of a notebook does.
const asCell = "-cell"

// throughPage shows a table with hostile names and cells as in a notebook, whose end of the pipes is here, and reads
// the page. It starts this program anew, which can be in one notebook only.
func throughPage(t *trial, net *bn.Network) error {
	self, err := os.Executable()
	if err != nil || strings.HasSuffix(self, ".test") {
		return nil
	}
	page, err := shown(self, strconv.FormatUint(t.seed, 10), strconv.FormatUint(t.number, 10))
	if err != nil {
		return err
	}
	if page == nil {
		return nil // a system without folders of open files
	}
	return harmlessHTML(page)
}

// shown is what the cell sends to its notebook until it asks whether that has arrived.
func shown(self, seed, number string) ([]byte, error) {
	sent, cell, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer sent.Close()
	hears, answers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer hears.Close()
	defer answers.Close()
	cmd := exec.Command(self, asCell, seed, number)
	cmd.Env = append(os.Environ(), "GONB_PIPE=/dev/fd/3", "GONB_PIPE_BACK=/dev/fd/4")
	cmd.ExtraFiles = []*os.File{cell, hears}
	var diagnostics bytes.Buffer
	cmd.Stderr = &diagnostics
	if err := cmd.Start(); err != nil {
		cell.Close()
		return nil, nil
	}
	cell.Close()
	defer cmd.Wait()
	defer cmd.Process.Kill()
	var page []byte
	for buf := make([]byte, 1<<16); ; {
		n, err := sent.Read(buf)
		page = append(page, buf[:n]...)
		if bytes.Contains(page, []byte("#gonbui/sync")) {
			return page, nil
		}
		if err == io.EOF {
			cmd.Process.Kill()
			cmd.Wait()
			if strings.Contains(diagnostics.String(), "/dev/fd") {
				return nil, nil
			}
			return nil, say.Errorf("the cell ended early: %s", diagnostics.String())
		}
		if err != nil {
			return nil, err
		}
	}
}

// showCell is the cell: the table of a case, drawn as that case draws it.
func showCell(seed, number string) int {
	s, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return 2
	}
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return 2
	}
	t := newTrial("names", s, n, "")
	nb.Table(bnkit.Frame(cases(t.rng, must(hostileNetwork(t.rng)))))
	return 0
}

var (
	tag       = regexp.MustCompile(`<[a-zA-Z!/?][^<>]*>?`)
	known     = regexp.MustCompile(`^</?(div|table|caption|thead|tbody|tr|th|td|p|a|script)(\s[^<>]*)?>$`)
	attribute = regexp.MustCompile(`\s([a-zA-Z-]+)(?:="([^"]*)"|\s|>|$)`)
	ours      = []string{"class", "style", "scope", "title", "download", "href", "data-bnlab-sort"}
)

// harmlessHTML is an error for a page with elements and attributes that tables do not have, and more than one script.
func harmlessHTML(page []byte) error {
	from := bytes.Index(page, []byte("<div"))
	to := bytes.Index(page, []byte("<script>"))
	if from < 0 {
		return say.Errorf("there is no table in what was sent: %q", page)
	}
	if bytes.Count(page, []byte("<script")) > 1 {
		return say.Errorf("there are several scripts in %q", page)
	}
	if to < from { // a table of one row needs none
		to = max(bytes.LastIndex(page, []byte("</p>")), bytes.LastIndex(page, []byte("</div>")))
	}
	for _, e := range tag.FindAllString(string(page[from:to]), -1) {
		if !known.MatchString(e) {
			return say.Errorf("the page has %q", e)
		}
		for _, a := range attribute.FindAllStringSubmatch(e, -1) {
			if !slices.Contains(ours, a[1]) || a[1] == "href" && !strings.HasPrefix(a[2], "data:text/csv") {
				return say.Errorf("the page has %q in %q", a[0], e)
			}
		}
	}
	if div := string(page[from:to]); !strings.Contains(div[:strings.Index(div, ">")], "tex2jax_ignore") {
		return say.Errorf("MathJax reads the table: %q", div)
	}
	return nil
}
