package parquet

import (
	"fmt"
	"math"
	"strings"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// kind is what the cells of a column are.
type kind uint8

const (
	text kind = iota
	boolean
	whole
	float
)

// kindOf finds the kind of a column from its types, and what its whole numbers are divided by
// (1 but for decimals).
func kindOf(node *schema.PrimitiveNode) (k kind, scale float64, err error) {
	logical := node.LogicalType()
	name, _, _ := strings.Cut(logical.String(), "(") // without the parameters
	refuse := fmt.Errorf("its type, %s %s, is neither states nor a number", node.PhysicalType(), name)
	scale = 1
	switch node.PhysicalType() {
	case pq.Types.Boolean:
		return boolean, scale, nil
	case pq.Types.Float, pq.Types.Double:
		return float, scale, nil
	case pq.Types.Int32, pq.Types.Int64:
		switch l := logical.(type) {
		case schema.DateLogicalType, schema.TimeLogicalType, schema.TimestampLogicalType:
			return 0, 0, refuse
		case schema.DecimalLogicalType:
			return float, math.Pow10(int(l.Scale())), nil
		}
		return whole, scale, nil
	case pq.Types.ByteArray:
		switch logical.(type) {
		case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType, schema.NoLogicalType, nil:
			return text, scale, nil
		}
	}
	return 0, 0, refuse
}

// isUnsigned reports whether the whole numbers of a column are without sign.
func isUnsigned(logical schema.LogicalType) bool {
	l, ok := logical.(schema.IntLogicalType)
	return ok && !l.IsSigned()
}
