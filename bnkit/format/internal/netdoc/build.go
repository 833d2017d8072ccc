package netdoc

import (
	"fmt"

	"bnlab/bnkit/bn"
	"bnlab/internal/limit"
	"bnlab/internal/say"
)

// A Ref is a name where it stands in a file.
type Ref struct {
	Name string
	At   int
}

// A Node is what a reader found about a variable.
type Node struct {
	Ref
	Continuous bool
	States     []string
	Parents    []Ref
	TableAt    int
	// Table are the entries by configuration, the first parent slowest, then by state of
	// the child; nil when the file has none.
	Table []float64
	// LastLeftOut: the last probability of each row may be left out, as the rest to 1.
	LastLeftOut bool
	// ChildSlowest: the state of the child varies slowest in Table.
	ChildSlowest bool
	Weights      bool      // rows may be counts or other weights, which are divided by their sum
	Noisy        *NoisyMAX // in place of Table; its Child and Parents are filled in by the builder
	// Normals are those of a continuous node by configuration of its discrete parents.
	Normals []Normal
}

// A Builder collects nodes and makes the network.
type Builder struct {
	Text
	File
	Rows    Rows // that were changed
	nodes   []*Node
	index   map[string]int
	others  map[string]string // nodes that are not read, and what they are
	dropped map[string]bool   // attributes that are not read
	cells   int               // that the file may imply
	implied int
}

// NewBuilder returns a builder for the file with the given text, which may leave [limit.Cells] entries
// of tables unsaid, or maxCells if given: rows by default, and the tables of noisy-MAX nodes.
func NewBuilder(t Text, maxCells ...int) *Builder {
	b := &Builder{Text: t, cells: limit.Of(maxCells), index: map[string]int{}, others: map[string]string{},
		dropped: map[string]bool{}}
	b.Labels, b.Comments, b.Positions = map[string]string{}, map[string]string{}, map[string]Point{}
	b.NoisyMAX = map[string]*NoisyMAX{}
	return b
}

// Add adds a node. It returns an error for a name that is empty or taken.
func (b *Builder) Add(r Ref) (*Node, error) {
	if r.Name == "" {
		return nil, b.ErrorAt(r.At, "a node has an empty name")
	}
	if i, ok := b.index[r.Name]; ok {
		return nil, b.ErrorAt(r.At, "%w: node %q stands in line %d already", bn.ErrDuplicate, say.Short(r.Name),
			b.LineOf(b.nodes[i].At))
	}
	n := &Node{Ref: r, TableAt: r.At}
	b.index[r.Name] = len(b.nodes)
	b.nodes = append(b.nodes, n)
	return n, nil
}

// Node returns the named node, nil when there is none.
func (b *Builder) Node(name string) *Node {
	if i, ok := b.index[name]; ok {
		return b.nodes[i]
	}
	return nil
}

// Nodes returns all nodes in their order.
func (b *Builder) Nodes() []*Node { return b.nodes }

// Reorder puts the nodes in the order of names where these name each of them once, and
// leaves them as they are otherwise.
func (b *Builder) Reorder(names []string) {
	seen := make(map[string]bool)
	var nodes []*Node
	for _, name := range names {
		if n := b.Node(name); n != nil && !seen[name] {
			seen[name] = true
			nodes = append(nodes, n)
		}
	}
	if len(nodes) < len(b.nodes) {
		return
	}
	b.nodes = nodes
	for i, n := range nodes {
		b.index[n.Name] = i
	}
}

// Other remembers a node that is not read, such as "utility", and that it is lost.
func (b *Builder) Other(name, kind string) {
	b.others[name] = kind
	b.Lose("The %s node %q is not read; no probability depends on it.", kind, say.Short(name))
}

// IsOther reports whether a node was given to Other.
func (b *Builder) IsOther(name string) bool { return b.others[name] != "" }

// Drop remembers an attribute that is not read.
func (b *Builder) Drop(attribute string) {
	if len(b.dropped) < 1000 {
		b.dropped[say.Short(attribute)] = true
	}
}

// Lose adds a sentence on what is not read.
func (b *Builder) Lose(format string, args ...any) {
	b.Lost = append(b.Lost, say.Sprintf(format, args...))
}

// Imply counts entries of tables that the file does not spell out, what being the table. No number
// overflows, since configurations are at most [bn.MaxConfigs] and states [bn.MaxStates].
func (b *Builder) Imply(at, entries int, format string, args ...any) error {
	if entries > b.cells || b.implied+entries > b.cells {
		what := fmt.Sprintf(format, args...) + " and what else the file does not spell out"
		return b.ErrorAt(at, "%w", &limit.Error{What: what, Most: int64(b.cells), Unit: "entries",
			Option: "format.Reader.MaxCells"})
	}
	b.implied += entries
	return nil
}
