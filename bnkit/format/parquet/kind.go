package parquet

import (
	"strings"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"bnlab/internal/say"
)

// kind is what the cells of a column are.
type kind uint8

const (
	text kind = iota
	boolean
	whole
	float
	day    // a date
	moment // a time
)

// kindOf finds the kind of a column from its types, and how many digits of its whole numbers stand behind the point (0
// but for decimals).
func kindOf(node *schema.PrimitiveNode) (k kind, scale int, err error) {
	logical := node.LogicalType()
	name, _, _ := strings.Cut(logical.String(), "(") // without the parameters
	refuse := say.Errorf("its type, %s %s, is neither states nor a number", node.PhysicalType(), name)
	switch node.PhysicalType() {
	case pq.Types.Boolean:
		return boolean, scale, nil
	case pq.Types.Float, pq.Types.Double:
		return float, scale, nil
	case pq.Types.Int32, pq.Types.Int64:
		switch l := logical.(type) {
		case schema.TimeLogicalType:
			return 0, 0, refuse
		case schema.DateLogicalType:
			return day, 0, nil
		case schema.TimestampLogicalType:
			return moment, 0, nil
		case schema.DecimalLogicalType:
			return float, int(l.Scale()), nil
		}
		return whole, scale, nil
	case pq.Types.Int96: // the times of older writers
		return moment, 0, nil
	case pq.Types.FixedLenByteArray:
		switch l := logical.(type) {
		case schema.DecimalLogicalType:
			return float, int(l.Scale()), nil
		case schema.Float16LogicalType:
			return float, 0, nil
		}
	case pq.Types.ByteArray:
		switch l := logical.(type) {
		case schema.DecimalLogicalType:
			return float, int(l.Scale()), nil
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
