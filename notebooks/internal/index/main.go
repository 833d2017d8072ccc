package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	update := flag.Bool("update", false, "write contents, tables and pictures anew")
	root := flag.String("root", ".", "the checkout")
	flag.Parse()
	said, err := check(*root, *update)
	if err != nil {
		fmt.Fprintf(os.Stderr, "index: %v\n", err)
		os.Exit(2)
	}
	for _, s := range said {
		fmt.Fprintln(os.Stderr, s)
	}
	if len(said) > 0 {
		os.Exit(1)
	}
}

// check returns what is stale or missing; with update, what it cannot write.
func check(root string, update bool) ([]string, error) {
	var said []string
	var entries []entry
	for _, a := range abouts {
		n, err := readNotebook(root, a.name)
		if err != nil {
			return nil, err
		}
		said = append(said, n.missing()...)
		if err := keep(n.path, n.raw, n.withContents(), update, &said); err != nil {
			return nil, err
		}
		e, err := entryOf(root, a, n)
		if err != nil {
			return nil, err
		}
		if stale, err := thumbnail(root, e, update); err != nil {
			return nil, err
		} else if stale != "" {
			said = append(said, stale)
		}
		entries = append(entries, e)
	}
	for _, page := range []string{"README.md", filepath.Join("notebooks", "README.md")} {
		path := filepath.Join(root, page)
		old, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		now, err := withTable(old, filepath.Dir(page), entries)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := keep(path, old, now, update, &said); err != nil {
			return nil, err
		}
	}
	return said, nil
}

// keep writes a file anew if it may, or says that it is stale.
func keep(path string, old, now []byte, update bool, said *[]string) error {
	if bytes.Equal(old, now) {
		return nil
	}
	if update {
		return os.WriteFile(path, now, 0o644)
	}
	*said = append(*said, path+": stale; go run ./notebooks/internal/index -update writes it anew")
	return nil
}
