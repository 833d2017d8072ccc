package data

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"strings"

	"bnlab/bnkit/bn"
)

// Hash returns the SHA-256, in hexadecimal, of the names, states, cells and
// weights of the table. Tables have the same hash when they have the same
// columns in the same order, the same rows in the same order and the same
// weights. It records the data that a network was learned from.
func (t *Table) Hash() string {
	w := hasher{h: sha256.New()}
	w.text("bnlab table 1")
	w.number(uint64(len(t.cols)))
	w.number(uint64(t.rows))
	for _, c := range t.cols {
		w.text(c.Var.Name)
		if c.Var.IsDiscrete() {
			w.number(uint64(1 + c.Var.Cardinality()))
			for _, s := range c.Var.States {
				w.text(s)
			}
			w.states(c.States)
		} else {
			w.number(0)
			w.values(c.Values)
		}
	}
	if t.weights == nil {
		w.number(0)
	} else {
		w.number(1)
		w.values(t.weights)
	}
	for _, at := range t.regime {
		w.text(strings.Join(t.regimes[at], ";"))
	}
	return hex.EncodeToString(w.sum())
}

// A hasher collects bytes, little-endian, and hashes them in large pieces.
type hasher struct {
	h   hash.Hash
	buf []byte
}

func (w *hasher) room() {
	if len(w.buf) > 1<<15 {
		w.h.Write(w.buf)
		w.buf = w.buf[:0]
	}
}

func (w *hasher) number(x uint64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, x)
	w.room()
}

func (w *hasher) text(s string) {
	w.number(uint64(len(s)))
	w.buf = append(w.buf, s...)
	w.room()
}

func (w *hasher) states(states []bn.State) {
	for _, s := range states {
		w.buf = binary.LittleEndian.AppendUint16(w.buf, s)
		w.room()
	}
}

// values writes all missing values and both zeros alike.
func (w *hasher) values(values []float64) {
	for _, x := range values {
		w.number(bitsOf(x))
	}
}

// bitsOf is the same for all missing values, and for both zeros.
func bitsOf(x float64) uint64 {
	if math.IsNaN(x) {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(x + 0) // −0 + 0 = 0
}

func (w *hasher) sum() []byte {
	w.h.Write(w.buf)
	w.buf = w.buf[:0]
	return w.h.Sum(nil)
}

// Hash returns the SHA-256, in hexadecimal, of the counts of variable v. It tells the cases that suggested a statement
// about its table (package sharing) from others, but for the rare ones with equal counts.
func (c *Counts) Hash(v int) string {
	w := hasher{h: sha256.New()}
	w.text("bnlab counts 1")
	w.values(c.Family(v))
	return hex.EncodeToString(w.sum())
}
