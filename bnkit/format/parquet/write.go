package parquet

import (
	"fmt"
	"unicode/utf8"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"bnlab/bnkit/bn"
	"bnlab/bnkit/data"
	"bnlab/internal/say"
)

// Write writes the table to a Parquet file; see [Writer]. Weights become a last column named
// weight. [Read] reads it back the same, variables with their states in order, and every
// number bit for bit. An error leaves the file as it was.
func Write(path string, t *data.Table) error {
	if t == nil {
		return say.Errorf("parquet: there is no table to write to %s", path)
	}
	opts := &WriterOptions{}
	if t.Weights() != nil {
		opts.Weight = "weight"
	}
	w, err := Create(path, t.Variables(), opts)
	if err != nil {
		return err
	}
	defer w.Discard()
	if err := w.Write(t); err != nil {
		return err
	}
	return w.Close()
}

// layout is the schema of a file: every column may have missing cells.
func layout(vars []bn.Variable) (*schema.GroupNode, error) {
	if len(vars) == 0 {
		return nil, fmt.Errorf("there are no variables")
	}
	seen := make(map[string]bool)
	var fields schema.FieldList
	for _, v := range vars {
		if err := v.Validate(); err != nil {
			return nil, err
		}
		if seen[v.Name] {
			return nil, say.Errorf("%w: two columns are named %q", bn.ErrDuplicate, v.Name)
		}
		seen[v.Name] = true
		for _, name := range append([]string{v.Name}, v.States...) {
			if !utf8.ValidString(name) {
				return nil, say.Errorf("variable %q: the name %q is %w", v.Name, name, data.ErrEncoding)
			}
		}
		logical, physical := schema.LogicalType(schema.NoLogicalType{}), pq.Types.Double
		if v.IsDiscrete() {
			logical, physical = schema.StringLogicalType{}, pq.Types.ByteArray
		}
		field, err := schema.NewPrimitiveNodeLogical(v.Name, pq.Repetitions.Optional, logical, physical, -1, -1)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field)
	}
	return schema.NewGroupNode("schema", pq.Repetitions.Required, fields, -1)
}
