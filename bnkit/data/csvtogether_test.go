package data

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// parseTogether reads with workers, in pieces of few bytes.
func parseTogether(b []byte, opts *CSVOptions, workers, buffer int) (*Table, error) {
	p, err := newCSVParser("", int64(len(b)), opts)
	if err != nil {
		return nil, err
	}
	p.workers, p.buffer = workers, buffer
	if err := p.read(bytes.NewReader(b)); err != nil {
		return nil, err
	}
	return p.table()
}

// TestTogether: whatever the number of workers and wherever a file is cut, its table or error is that of one worker.
// The rows bring new states, numbers after words, empty lines, quotes with line feeds, and mistakes, late and seldom.
func TestTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	words := []string{"a", "b", "long word", "another long word", "NA", " a ", "", "7", "c"}
	var tables, mistakes, quotes int
	for round := range 600 {
		var text strings.Builder
		text.WriteString("x,y,z\n")
		rows := 1 + rng.IntN(150)
		odd := rng.IntN(rows)
		for row := range rows {
			switch {
			case rng.IntN(20) == 0:
				text.WriteString([]string{"\n", "\r\n", "\n\n"}[rng.IntN(3)])
			case row == odd && round%5 == 0:
				text.WriteString("\"a\nb\",2,3\n")
				quotes++
			case row == odd && round%5 == 1:
				text.WriteString([]string{"a,1\n", "a,1,2,3\n", "\xff,1,2\n", "a,b,1\n"}[rng.IntN(4)])
			}
			known := 2 + row/30
			fmt.Fprintf(&text, "%s,%d,%s%s", words[rng.IntN(min(known, len(words)))], rng.IntN(known),
				[]string{"1", "2", fmt.Sprint(rng.IntN(1 + row/10)), "NA"}[rng.IntN(4)],
				[]string{"\n", "\r\n"}[rng.IntN(2)])
		}
		b := []byte(text.String())[:text.Len()-rng.IntN(2)]
		opts := &CSVOptions{MaxNumericStates: 4 + rng.IntN(4)}
		if round%3 == 0 {
			opts.Weight = "y"
		}
		want, wantErr := parseTogether(b, opts, 1, csvBuffer)
		if wantErr == nil {
			tables++
		} else {
			mistakes++
		}
		for _, workers := range []int{1, 2, 3, 8} {
			got, err := parseTogether(b, opts, workers, 8+rng.IntN(200))
			same(t, fmt.Sprintf("one worker, not %d, of %q", workers, b), got, err, want, wantErr)
			if err != nil {
				continue
			}
			if looked, _ := New(got.Columns()...); !slices.Equal(looked.complete, got.complete) {
				t.Fatalf("columns without missing cells: %v, should be %v", got.complete, looked.complete)
			}
		}
	}
	if tables < 300 || mistakes < 60 || quotes < 60 {
		t.Errorf("%d tables, %d mistakes, %d quotes: the texts try too little", tables, mistakes, quotes)
	}
}

// TestTogetherBroken: a reader that fails says in which line, after the mistakes before.
func TestTogetherBroken(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, text := range []string{
		"a,b\n" + strings.Repeat("1,2\n", 500),
		"a,b\n" + strings.Repeat("1,2\n", 100) + "1\n" + strings.Repeat("1,2\n", 300),
	} {
		var want string
		for _, workers := range []int{1, 2, 5} {
			p, err := newCSVParser("", 1<<20, nil)
			if err != nil {
				t.Fatal(err)
			}
			p.workers, p.buffer = workers, 64
			err = p.read(&after{strings.NewReader(text), iotest.ErrReader(broken)})
			if workers == 1 {
				want = fmt.Sprint(err)
			}
			if err == nil || err.Error() != want || !strings.Contains(want, "line ") {
				t.Errorf("%d workers: %v, one: %s", workers, err, want)
			}
		}
	}
}

// after reads one and then another.
type after struct {
	first  *strings.Reader
	second interface{ Read([]byte) (int, error) }
}

func (a *after) Read(p []byte) (int, error) {
	if a.first.Len() > 0 {
		return a.first.Read(p)
	}
	return a.second.Read(p)
}
