package data

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// parseSlowly reads through encoding/csv only.
func parseSlowly(b []byte, opts *CSVOptions) (*Table, error) {
	p, err := newCSVParser("", int64(len(b)), opts)
	if err != nil {
		return nil, err
	}
	p.onlyQuoted = true
	if err := p.read(bytes.NewReader(b)); err != nil {
		return nil, err
	}
	return p.table()
}

// parseInPortions reads twice by a scanner, in portions of few rows, and puts them together.
func parseInPortions(b []byte, opts *CSVOptions) (*Table, error) {
	s := &CSVScanner{Options: opts}
	if err := s.Scan(bytes.NewReader(b), "", nil); err != nil {
		return nil, err
	}
	if s.Rows() == 0 {
		return ReadCSV(bytes.NewReader(b), opts) // has words for it
	}
	again := *opts
	again.States = StatesOf(s.Variables()...)
	for _, v := range s.Variables() {
		if !v.IsDiscrete() {
			again.Continuous = append(again.Continuous, v.Name)
		}
	}
	cols := make([]Column, len(s.Variables()))
	t := &CSVScanner{Options: &again}
	if err := t.open(); err != nil {
		return nil, err
	}
	t.p.portionRows = 3
	err := t.Scan(bytes.NewReader(b), "", func(part *Table) error {
		if part.Rows() > 3 {
			return fmt.Errorf("a portion of %d rows", part.Rows())
		}
		for i, c := range part.Columns() {
			cols[i].Var = c.Var
			cols[i].States = append(cols[i].States, c.States...)
			cols[i].Values = append(cols[i].Values, c.Values...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return New(cols...)
}

// TestScanByChance reads many small files as one table and in portions.
func TestScanByChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 0))
	pieces := []string{
		",", ",", ",", "\n", "\n", "\n", "\r\n", "\"", "\"x\"", "\"a,b\"", "\"a\nb\"", "1", "2", "0.5", "01", "NA", "?",
		" ", "x", "yes",
		"\ufeff", "é", "\xff", ";", "\t", "\r", "null", "-3e2",
	}
	read := 0
	for range 5_000 {
		text := []byte("a,b\n")[:4*rng.IntN(2)]
		for range rng.IntN(25) {
			text = append(text, pieces[rng.IntN(len(pieces))]...)
		}
		opts := &CSVOptions{MaxNumericStates: 2, Note: func(string) {}}
		got, err := ReadCSV(bytes.NewReader(text), opts)
		portions, portionsErr := parseInPortions(text, opts)
		if err == nil {
			read++
		}
		if same(t, fmt.Sprintf("portions of %q", text), got, err, portions, portionsErr); t.Failed() {
			return
		}
	}
	if read < 120 {
		t.Errorf("%d texts could be read; there should be more", read)
	}
}

// dribble returns a few bytes at a time.
type dribble struct{ b []byte }

func (d *dribble) Read(p []byte) (int, error) {
	if len(d.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 3)], d.b)
	d.b = d.b[n:]
	return n, nil
}

// FuzzCSV checks that no input panics, that the fast path and encoding/csv make
// the same table or the same error, and that a table that was read is read back
// the same after writing.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"", "a", "a\n", "a,b\n1,2\n", "\xef\xbb\xbfa,b\r\nx,\r\n?,NA", "a,b\n\n1,x\n\r\n2,y\r",
		"a;b\n1;2\n", "a,b\n1,2,3\n", "a,b\n1\n", "a,a\n1,2\n", ",b\n1,2\n", "\"a\",b\n1,2\n",
		"a,b\n\"x,\ny\",2\n3,\"\"\"\"\n", "a\n\"x", "a\nx\"y\n",
		"a,b\n0.5,long state name\n1e3,another long one\n-2,other",
		"a\n\xff\n", "a, b\n x ,y\n",
		"a\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\nx\n",
		"a\r\r\n\r\r\n", "\xff\xfea\x00", "esophageal,ab\nabcdefg,abcdefgh\nabcdefgh,abcdefghi\nabcdefghabcdefgh,a\n",
		"a,b\nNA,\n,\n", "a,b\n\xff,1,2\n", "a\n0.5\nx\n",
	} {
		f.Add([]byte(s), byte(0))
		f.Add([]byte(s), byte(7))
	}
	f.Add([]byte("\t\n0"), byte(7)) // one column, whose name another separator would cut
	f.Add([]byte("a\tb\n0"), byte(2))
	f.Fuzz(func(t *testing.T, b []byte, flags byte) {
		opts := &CSVOptions{KeepSpace: flags&1 != 0, MaxNumericStates: 3, Note: func(string) {}}
		if flags&2 != 0 {
			opts.Comma = ';'
		}
		if flags&4 != 0 {
			opts.Missing = []string{"1", "x"}
		}
		if flags&8 != 0 {
			opts.Names = []string{"a", "b"}
		}
		got, err := ReadCSV(bytes.NewReader(b), opts)
		slow, slowErr := parseSlowly(b, opts)
		same(t, "encoding/csv", got, err, slow, slowErr)
		other, otherErr := ReadCSV(&dribble{b}, opts)
		same(t, "small reads", got, err, other, otherErr)
		portions, portionsErr := parseInPortions(b, opts)
		same(t, "portions", got, err, portions, portionsErr)
		if err != nil {
			return
		}
		roundTrip(t, got)
	})
}

func same(t *testing.T, what string, got *Table, err error, want *Table, wantErr error) {
	t.Helper()
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("error %v, by %s %v", err, what, wantErr)
	}
	if err == nil && got.Hash() != want.Hash() {
		t.Fatalf("table %v, by %s %v", got, what, want)
	}
}

// roundTrip writes a table and reads it with its states declared.
func roundTrip(t *testing.T, table *Table) {
	t.Helper()
	var b bytes.Buffer
	if err := table.WriteCSV(&b); err != nil {
		return // what cannot be written is tested elsewhere
	}
	if _, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll(); err != nil {
		t.Fatalf("encoding/csv refuses what was written: %v\n%q", err, b.Bytes())
	}
	opts := &CSVOptions{States: StatesOf(table.Variables()...), KeepSpace: true, Note: func(string) {}}
	for _, v := range table.Variables() {
		if !v.IsDiscrete() {
			opts.Continuous = append(opts.Continuous, v.Name)
		}
	}
	back, err := ReadCSV(bytes.NewReader(b.Bytes()), opts)
	if err != nil {
		t.Fatalf("reading back: %v\n%q", err, b.Bytes())
	}
	if back.Hash() != table.Hash() {
		t.Fatalf("read back\n%v\nwrote\n%v\nas %q", back, table, b.Bytes())
	}
}
