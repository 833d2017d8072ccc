package main_test

import (
	"errors"
	"testing"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/format"
	"bnlab/bnkit/format/arff"
	"bnlab/bnkit/knowledge"
)

// Options raise and lower what files may imply: a limit of one cell less than a file needs refuses it.
func TestMaxCells(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells int // that the file implies: of two parents and their child 2 + 2 + 8
		read  func(t *testing.T, maxCells int) error
	}{
		{"knowledge", 12, func(t *testing.T, n int) error {
			k, err := knowledge.Parse("k.yaml", knowledgeOf(2))
			if err != nil {
				t.Fatal(err)
			}
			k.MaxCells = n
			_, err = k.Network()
			return err
		}},
		{"Hugin", 12, func(t *testing.T, n int) error {
			_, err := format.Reader{MaxCells: n}.Read(place(t, "a.net", huginOf(2)))
			return err
		}},
		{"GeNIe", 8, func(t *testing.T, n int) error {
			_, err := format.Reader{MaxCells: n}.Read(place(t, "a.xdsl", genieOf(2)))
			return err
		}},
		{"UAI, the names of its states", 48, func(t *testing.T, n int) error { // 16 for each of 3
			path := place(t, "a.uai", []byte("BAYES 1 3 1 1 0 3 .2 .3 .5"))
			_, err := format.Reader{MaxCells: n}.Read(path)
			return err
		}},
		{"Netica, a certain state", 51, func(t *testing.T, n int) error { // 16 for each name, and 3
			path := place(t, "a.dne", []byte("bnet n { node a { numstates = 3; probs = (#0); }; };"))
			_, err := format.Reader{MaxCells: n}.Read(path)
			return err
		}},
		{"ARFF", 6, func(t *testing.T, n int) error {
			path := place(t, "a.arff", numbered("@relation r\n", "@attribute a%d real\n", 3, "@data\n{}\n{}\n"))
			_, err := arff.Read(path, &arff.Options{MaxCells: n})
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.read(t, test.cells-1); !errors.Is(err, bn.ErrTooLarge) {
				t.Errorf("a limit of %d: error %v, want bn.ErrTooLarge", test.cells-1, err)
			}
			if err := test.read(t, test.cells); err != nil {
				t.Errorf("a limit of %d: %v", test.cells, err)
			}
		})
	}
}
