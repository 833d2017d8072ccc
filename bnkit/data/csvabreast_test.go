package data

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// TestAbreast: lines that are read two at a time make the table or the error of encoding/csv, whatever the separator
// and the kinds of columns. Cells have 0 to 17 bytes; new texts, gaps, lines of other lengths and mistakes are seldom.
func TestAbreast(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	words := []string{"a", "b", "seven 7", "eight  8", "NA", "fifteen letters", "sixteen letters!", "and seventeen ...",
		"", "\x00", "é", "last"}
	var tables, mistakes int
	for round := range 400 {
		comma := []byte{',', ';', '@', 1, 'x' + 1}[rng.IntN(5)]
		columns, rows := 1+rng.IntN(6), 1+rng.IntN(300)
		names := make([]string, columns)
		kinds := make([]int, columns)
		for i := range names {
			names[i], kinds[i] = fmt.Sprint("v", i), rng.IntN(4)
		}
		opts := &CSVOptions{Comma: comma, Names: names, KeepSpace: round%2 == 0, MaxNumericStates: 3}
		if round%3 == 0 {
			opts.Columns = names[:1+rng.IntN(columns)]
			kinds[0] = 3
		}
		if weight := slices.Index(kinds, 2); weight >= 0 && round%3 == 1 {
			opts.Weight = names[weight]
		}
		var text strings.Builder
		for row := range rows {
			n := columns
			if rng.IntN(600) == 0 {
				n += rng.IntN(3) - 1
			}
			for i := range n {
				switch kinds[min(i, columns-1)] {
				case 0: // states, one more each 30 rows
					text.WriteString(words[rng.IntN(min(2+row/30, len(words)))])
				case 1: // numbers with gaps
					text.WriteString([]string{fmt.Sprint(rng.NormFloat64()), "NA", " 7 ", ""}[max(0, rng.IntN(40)-36)])
				case 2:
					fmt.Fprint(&text, rng.IntN(50))
				case 3:
					text.WriteString(words[rng.IntN(3)])
				}
				if i < n-1 {
					text.WriteByte(comma)
				}
			}
			text.WriteString([]string{"\n", "\r\n", "\n\n"}[max(0, rng.IntN(60)-57)])
		}
		b := []byte(text.String())[:text.Len()-rng.IntN(2)]
		want, wantErr := parseSlowly(b, opts)
		got, err := ReadCSV(bytes.NewReader(b), opts)
		if same(t, fmt.Sprintf("encoding/csv of %q", b), got, err, want, wantErr); err == nil {
			tables++
		} else {
			mistakes++
		}
	}
	if tables < 200 || mistakes < 20 {
		t.Errorf("%d tables and %d mistakes: the texts try too little", tables, mistakes)
	}
}

// TestAbreastLineFeed: a line with too few cells is a mistake even where its last cell, the line feed and the first
// cell of the next are a text that an earlier file had in quotes.
func TestAbreastLineFeed(t *testing.T) {
	s := &CSVScanner{}
	if err := s.Scan(strings.NewReader("x,y,z\nq,\"a\nb\",1\nb,2,1\n"), "", nil); err != nil {
		t.Fatal(err)
	}
	err := s.Scan(strings.NewReader("x,y,z\nq,a\nb,2,1\n"), "", nil)
	var e *ValueError
	if !errors.As(err, &e) || !errors.Is(err, ErrRagged) || e.Line != 2 {
		t.Errorf("a line of two cells is read: %v", err)
	}
}

// TestSortEarly: states that are sorted after the first piece of a file, and those that come later, are in natural
// order at the end, and their cells are the same.
func TestSortEarly(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	var cells []string
	for row := range 4000 {
		cells = append(cells, fmt.Sprint("q", rng.IntN(20+row/100*7)))
		if rng.IntN(50) == 0 {
			cells[row] = ""
		}
	}
	text := "x,y\n" + strings.Join(cells, ",1\n") + ",2\n"
	for _, workers := range []int{1, 2} {
		got, err := parseTogether([]byte(text), nil, workers, 1024)
		if err != nil {
			t.Fatal(err)
		}
		c := got.Columns()[0]
		for row, want := range cells {
			if text := c.Text(row); text != want || c.IsMissing(row) != (want == "") {
				t.Fatalf("%d workers, row %d: %q, want %q", workers, row, text, want)
			}
		}
		sorted := Column{Var: bn.Discrete("x", c.Var.States...)}.Natural()
		if !slices.Equal(sorted.Var.States, c.Var.States) {
			t.Errorf("%d workers: states are not in natural order: %v", workers, c.Var.States)
		}
	}
}
