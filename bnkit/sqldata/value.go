package sqldata

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// integer reads a whole number of any type that drivers give.
func integer(value any) (int64, bool) {
	switch x := value.(type) {
	case int64:
		return x, true
	case int32:
		return int64(x), true
	case int16:
		return int64(x), true
	case int8:
		return int64(x), true
	case int:
		return int64(x), true
	case uint64:
		return int64(x), x <= math.MaxInt64
	case uint32:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint8:
		return int64(x), true
	case []byte:
		n, err := strconv.ParseInt(string(x), 10, 64)
		return n, err == nil
	case string:
		n, err := strconv.ParseInt(x, 10, 64)
		return n, err == nil
	case fmt.Stringer:
		n, err := strconv.ParseInt(x.String(), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// float reads a number of any type that drivers give.
func float(value any) (float64, bool) {
	switch x := value.(type) {
	case float64:
		return x, true
	case float32:
		return float64(x), true
	}
	if n, ok := integer(value); ok {
		return float64(n), true
	}
	text, ok := textOf(value)
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// textOf prints a value as a state is named: whole numbers without point or exponent, other
// numbers in their shortest form that reads back the same, NaN as the empty text.
func textOf(value any) (string, bool) {
	switch x := value.(type) {
	case string:
		return x, true
	case []byte:
		return string(x), true
	case bool:
		return strconv.FormatBool(x), true
	case float32:
		return floatText(float64(x), 32), true
	case float64:
		return floatText(x, 64), true
	case uint64:
		return strconv.FormatUint(x, 10), true
	case time.Time, *time.Time, time.Duration:
		return "", false
	}
	if n, ok := integer(value); ok {
		return strconv.FormatInt(n, 10), true
	}
	if s, ok := value.(fmt.Stringer); ok {
		return s.String(), true
	}
	return "", false
}

func floatText(x float64, bits int) string {
	switch {
	case math.IsNaN(x):
		return ""
	case x == math.Trunc(x) && math.Abs(x) < 1<<53:
		return strconv.FormatFloat(x+0, 'f', -1, bits)
	}
	return strconv.FormatFloat(x, 'g', -1, bits)
}
