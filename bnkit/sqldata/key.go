package sqldata

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"

	"bnlab/internal/english"
	"bnlab/internal/say"
)

// A hash is a polynomial of the third degree over the integers modulo prime, whose coefficients are drawn uniformly.
// The values at any four different points are then independent and uniform (Carter and Wegman 1979; Wegman and Carter
// 1981, §3). All steps stay below 2^62, so that every database and this package find the same ones.
type hash [4]uint64 // the highest power first

const (
	prime  = 1<<31 - 1  // of the hash
	prime2 = 1<<31 - 19 // the largest one below
	second = 48271      // that of the remainder by prime2 in a point
)

func newHash(src rand.Source) *hash {
	random := rand.New(src)
	h := new(hash)
	for i := range h {
		h[i] = random.Uint64N(prime)
	}
	return h
}

// residue writes the point of a key: a number below prime that differs for keys from 0 to 2^31 − 20. Keys that differ
// by a multiple of prime do not share theirs, but for multiples of prime · prime2; of keys further apart few do.
func (d Dialect) residue(key string) string {
	k := d.integer(key)
	positive := func(p int) string { return fmt.Sprintf("(%s %% %d + %d) %% %d", k, p, p, p) }
	return fmt.Sprintf("((%s) + %d * ((%s))) %% %d", positive(prime), second, positive(prime2), prime)
}

// value writes the hash of a point.
func (h *hash) value(x string) string {
	at := fmt.Sprintf("(%d * (%s) + %d) %% %d", h[0], x, h[1], prime)
	for _, c := range h[2:] {
		at = fmt.Sprintf("((%s) * (%s) + %d) %% %d", at, x, c, prime)
	}
	return at
}

// remainder writes the remainder of the hash by k, which is as good as uniform.
func (h *hash) remainder(x string, k int) string { return fmt.Sprintf("(%s) %% %d", h.value(x), k) }

// checkKey asks whether the key is a whole number in each row.
func (c *Cases) checkKey(ctx context.Context) error {
	if c.opts.Key == "" {
		return nil
	}
	key := c.dialect.quote(c.opts.Key)
	b := c.builder()
	b.shards(func() {
		fmt.Fprintf(b, "SELECT COUNT(%s), COUNT(CASE WHEN %s = %s THEN 1 END)", key, c.dialect.integer(c.opts.Key), key)
		b.from()
	})
	var there, whole int64
	c.passed(1)
	err := c.query(ctx, fmt.Sprintf("checks the key in column %q", c.opts.Key), b.String(), b.args,
		func(rows *sql.Rows) error {
			there, whole = 0, 0
			return c.each(rows, func(row []any) error {
				for i, sum := range []*int64{&there, &whole} {
					n, ok := integer(row[i])
					if !ok {
						return fmt.Errorf("sqldata: a number of rows is of the Go type %T", row[i])
					}
					*sum += n
				}
				return nil
			})
		})
	switch {
	case err != nil:
		return err
	case there < c.rows:
		return c.badKey(fmt.Sprintf("is missing in %s of %d", english.Count(int(c.rows-there), "row"), c.rows))
	case whole < c.rows:
		return c.badKey(fmt.Sprintf("is no whole number in %s of %d", english.Count(int(c.rows-whole), "row"), c.rows))
	}
	return nil
}

func (c *Cases) badKey(how string) error {
	return say.Errorf("sqldata: column %q, in Options the Key, %s; name a column of whole numbers, or make one in a "+
		"Query", c.opts.Key, how)
}
