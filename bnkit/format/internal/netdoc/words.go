package netdoc

import (
	"bytes"
	"math"
	"strconv"

	"bnlab/internal/num"
	"bnlab/internal/say"
)

// Words walks over a text of words between white space. From # to the end of a line is a comment.
type Words struct {
	Text
	pos    int
	peeked *Ref
}

// Peek returns the next word, with an empty name at the end.
func (w *Words) Peek() Ref {
	if w.peeked == nil {
		r := w.scan()
		w.peeked = &r
	}
	return *w.peeked
}

// Next returns the next word and passes it.
func (w *Words) Next() Ref {
	r := w.Peek()
	w.peeked = nil
	return r
}

func (w *Words) scan() Ref {
	for w.pos < len(w.Src) && (isSpace(w.Src[w.pos]) || w.Src[w.pos] == '#') {
		if w.Src[w.pos] == '#' {
			if n := bytes.IndexByte(w.Src[w.pos:], '\n'); n >= 0 {
				w.pos += n
			} else {
				w.pos = len(w.Src) - 1
			}
		}
		w.pos++
	}
	at := w.pos
	for w.pos < len(w.Src) && !isSpace(w.Src[w.pos]) && w.Src[w.pos] != '#' {
		w.pos++
	}
	return Ref{string(w.Src[at:w.pos]), at}
}

// Count reads a number of things that follow, each of which takes a word and the white space before it.
func (w *Words) Count(what string) (int, error) {
	at := w.Peek().At
	n, err := w.Number(0, math.MaxInt32, what)
	if err == nil && n > (len(w.Src)-w.pos+1)/2 {
		return 0, w.ErrorAt(at, "%d is %s, more than the rest of the file holds; it may have been cut short", n, what)
	}
	return n, err
}

// Number reads a whole number between low and high.
func (w *Words) Number(low, high int, what string) (int, error) {
	r := w.Next()
	if r.Name == "" {
		return 0, w.ErrorAt(r.At, "the file ends where %s should stand", what)
	}
	n, err := strconv.Atoi(r.Name)
	if err != nil || n < low || n > high {
		return 0, w.ErrorAt(r.At, "found %q where %s should stand, a whole number from %d to %d", say.Short(r.Name),
			what, low, high)
	}
	return n, nil
}

// Probability reads a number between 0 and 1, up to rounding, or NaN.
func (w *Words) Probability() (float64, error) {
	r := w.Next()
	x, ok := ParseProbability(r.Name)
	switch {
	case r.Name == "":
		return 0, w.ErrorAt(r.At, "the file ends where a probability should stand; it may have been cut short")
	case !ok:
		return 0, w.ErrorAt(r.At, "found %q where a number should stand", say.Short(r.Name))
	case !num.NearProbability(x) && x == x:
		return 0, w.ErrorAt(r.At, "%s is not a probability; tables hold numbers between 0 and 1", say.Short(r.Name))
	}
	return x, nil
}
