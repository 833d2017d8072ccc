package data

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bnlab/bnkit/bn"
	"bnlab/internal/folds"
	"bnlab/internal/say"
)

// Folds partitions the rows of t at random into k folds and returns the rows of each, counted from
// 0 and ascending: test on one fold and train on its [Table.Complement]. The sizes differ by at most 1.
// It returns an error when k is below 2 or above the number of rows, or src is nil.
func (t *Table) Folds(k int, src rand.Source) ([][]int, error) {
	return deal(t, [][]int{all(t.rows)}, k, src)
}

// StratifiedFolds is [Table.Folds] stratified by the target: the numbers of rows with a
// state differ by at most one between folds. Missing counts as a state of the
// target, which must be discrete.
func (t *Table) StratifiedFolds(target string, k int, src rand.Source) ([][]int, error) {
	classes, err := t.classes(target)
	if err != nil {
		return nil, err
	}
	return deal(t, classes, k, src)
}

func deal(t *Table, classes [][]int, k int, src rand.Source) ([][]int, error) {
	if src == nil {
		return nil, fmt.Errorf("data: folds: %w", bn.ErrNoSource)
	}
	if k < 2 || k > t.rows {
		return nil, fmt.Errorf("data: %d folds of %d rows; there must be at least 2 folds and a row for each", k,
			t.rows)
	}
	rng := rand.New(src)
	folds := make([][]int, k)
	next := 0 // going on where the class before ended keeps the sizes even
	for _, rows := range classes {
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, row := range rows {
			folds[next] = append(folds[next], row)
			next = (next + 1) % k
		}
	}
	for _, fold := range folds {
		slices.Sort(fold)
	}
	return folds, nil
}

// Split draws a random fraction of the rows for testing and returns the training and the test rows,
// both ascending. The number of test rows is the fraction of all rows, rounded, but at least one
// and not all. With a target the split is stratified: each of its states is tested in that
// fraction, to within one row; an empty target means no stratification. It returns an error when
// the fraction is not between 0 and 1, there are fewer than two rows, the target is unknown or
// continuous, or src is nil.
func (t *Table) Split(target string, testFraction float64, src rand.Source) (train, test []int, err error) {
	if src == nil {
		return nil, nil, fmt.Errorf("data: split: %w", bn.ErrNoSource)
	}
	if !(testFraction > 0 && testFraction < 1) {
		return nil, nil, say.Errorf("data: the test fraction %v is not between 0 and 1", testFraction)
	}
	if t.rows < 2 {
		return nil, nil, fmt.Errorf("data: %d rows cannot be split", t.rows)
	}
	classes := [][]int{all(t.rows)}
	if target != "" {
		if classes, err = t.classes(target); err != nil {
			return nil, nil, err
		}
	}
	n := min(max(int(math.Round(testFraction*float64(t.rows))), 1), t.rows-1)
	rng := rand.New(src)
	for i, take := range apportion(classes, n, t.rows) {
		rows := classes[i]
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		test = append(test, rows[:take]...)
		train = append(train, rows[take:]...)
	}
	slices.Sort(test)
	slices.Sort(train)
	return train, test, nil
}

// apportion divides n of all rows among the classes by the largest remainder.
func apportion(classes [][]int, n, rows int) []int {
	take := make([]int, len(classes))
	order := make([]int, len(classes))
	left := n
	for i, class := range classes {
		take[i] = len(class) * n / rows
		left -= take[i]
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(len(classes[j])*n%rows, len(classes[i])*n%rows)
	})
	for _, i := range order[:left] {
		take[i]++
	}
	return take
}

// Complement returns the rows of the table that are not in rows, ascending: the training rows of a fold. Rows out of
// range are ignored.
func (t *Table) Complement(rows []int) []int { return folds.Complement(t.Rows(), rows) }

// classes returns the rows by state of the target, those with a missing one last.
func (t *Table) classes(target string) ([][]int, error) {
	v, err := t.discrete(target)
	if err != nil {
		return nil, err
	}
	classes := make([][]int, v.Cardinality()+1)
	for row, s := range t.cols[t.index[target]].States {
		i := min(int(s), v.Cardinality())
		classes[i] = append(classes[i], row)
	}
	return classes, nil
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
