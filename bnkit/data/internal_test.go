package data

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bnlab/bnkit/bn"
)

// Two long cells with one hash, and short cells that differ in length only, are
// kept apart.
func TestDictionaryCollisions(t *testing.T) {
	var d dictionary
	d.init()
	a, b := []byte("ESOPHAGEAL"), []byte("ONESIDEDLY")
	key := longKey(a)
	d.add(key, a, 1)
	if _, ok := d.find(key, b); ok {
		t.Error("a cell is found by its hash alone")
	}
	d.add(key, b, 2)
	for i, cell := range [][]byte{a, b} {
		if s, ok := d.find(key, cell); !ok || int(s) != i+1 {
			t.Errorf("find(%s) = %v, %v, want %d", cell, s, ok, i+1)
		}
	}
	if shortKey([]byte("a"), ',') == shortKey([]byte("a\x00"), ',') {
		t.Error("cells that differ by a NUL have one key")
	}
	for n := range 3000 {
		cell := []byte(fmt.Sprint(n))
		d.add(shortKey(cell, ','), cell, bn.State(n))
	}
	for n := range 3000 {
		cell := []byte(fmt.Sprint(n))
		if s, ok := d.find(shortKey(cell, ','), cell); !ok || int(s) != n {
			t.Fatalf("find(%d) = %v, %v", n, s, ok)
		}
	}
}

// A worker that adds its counts to the result in the middle counts on from zero.
func TestFlushTwice(t *testing.T) {
	states := make([]bn.State, 3*blockRows)
	for row := range states {
		states[row] = bn.State(row % 2)
	}
	table, err := New(Column{Var: bn.Discrete("x", "a", "b"), States: states})
	if err != nil {
		t.Fatal(err)
	}
	n := make([]float64, 2)
	var skipped float64
	p := plan{table: table, view: make(map[string]int)}
	if err := p.add(table.cols[0].Var, nil, bn.Configs{}, n, &skipped); err != nil {
		t.Fatal(err)
	}
	b := newBlockCounter(&p, []*family{&p.families[0]})
	for lo := 0; lo < len(states); lo += blockRows {
		b.count(lo, lo+blockRows)
		b.flush()
	}
	if want := float64(len(states) / 2); n[0] != want || n[1] != want {
		t.Errorf("counts %v, want %v each", n, want)
	}
}

// Rows that are ragged and also hold a bad cell are ragged in both readers.
func TestRaggedBeforeBadCell(t *testing.T) {
	opts := &CSVOptions{Continuous: []string{"a"}}
	b := []byte("a,b\nx,1,2\n")
	_, fast := ReadCSV(bytes.NewReader(b), opts)
	_, slow := parseSlowly(b, opts)
	if fmt.Sprint(fast) != fmt.Sprint(slow) || !strings.Contains(fmt.Sprint(fast), "wrong number of cells") {
		t.Errorf("fast %v, by encoding/csv %v", fast, slow)
	}
}
