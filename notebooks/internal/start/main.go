// Start makes a notebook outside the checkout, for ./reproduce.sh --notebook DIR: a folder with the notebook, whose
// first cell names the checkout, a module for Go files beside it, and a script that opens it on the checkout's kernel.
//
//	go run ./notebooks/internal/start CHECKOUT DIR
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// template is the notebook; CHECKOUT stands for the folder of the checkout, quoted for a shell.
//
//go:embed start.ipynb
var template []byte

// opening is the script that opens the notebook; CHECKOUT as above.
//
//go:embed open.sh
var opening string

func main() {
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./notebooks/internal/start CHECKOUT DIR")
		os.Exit(2)
	}
	if err := start(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintf(os.Stderr, "start: %v\n", err)
		os.Exit(1)
	}
}

// start writes the files into a folder that is there and empty. Both paths are absolute.
func start(checkout, dir string) error {
	if strings.ContainsFunc(checkout+dir, unicode.IsControl) {
		return errors.New("a path with a line break or another control character cannot be written into a cell")
	}
	notebook, err := withCheckout(template, quoted(checkout))
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		return err
	}
	version := regexp.MustCompile(`(?m)^go .*$`).Find(mod)
	if version == nil {
		return fmt.Errorf("%s has no line with the version of Go", filepath.Join(checkout, "go.mod"))
	}
	for _, f := range []struct {
		name string
		text string
		mode os.FileMode
	}{
		{"go.mod", fmt.Sprintf("module mine\n\n%s\n", version), 0o644},
		// The versions of all modules are those of the checkout, offline too.
		{"go.work", fmt.Sprintf("%s\n\nuse (\n\t.\n\t%s\n)\n", version, strconv.Quote(checkout)), 0o644},
		{"open.sh", strings.ReplaceAll(opening, "CHECKOUT", quoted(checkout)), 0o755},
		{"notebook.ipynb", string(notebook), 0o644},
	} {
		if err := os.WriteFile(filepath.Join(dir, f.name), []byte(f.text), f.mode); err != nil {
			return err
		}
	}
	return nil
}

// withCheckout puts the path, which a shell reads, into the cells.
func withCheckout(notebook []byte, path string) ([]byte, error) {
	text, err := json.Marshal(path)
	if err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(notebook, []byte("CHECKOUT"), text[1:len(text)-1]), nil
}

// quoted is a path as one word of a shell.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
