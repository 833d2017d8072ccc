package parquet

import (
	"math"
	"math/big"
	"strconv"

	"github.com/apache/arrow-go/v18/parquet/schema"
)

// bigEndian reads a whole number in two's complement, as decimals of a fixed or any number of bytes are stored.
func bigEndian(b []byte) *big.Int {
	x := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return x
}

// half returns the floating-point number of 16 bits (IEEE 754, binary16) of two bytes, the low one first.
func half(low, high byte) float64 {
	bits := int(high)<<8 | int(low)
	exponent, fraction := bits>>10&31, float64(bits&1023)
	x := 0.0
	switch {
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		return math.NaN()
	case exponent == 0:
		x = math.Ldexp(fraction, -24)
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 == 1 {
		x = -x
	}
	return x
}

// smallDecimal is decimal of a number of 64 bits.
func smallDecimal(x int64, scale int) float64 {
	const exact = 1 << 53
	if -exact <= x && x <= exact && 0 <= scale && scale <= 22 {
		return float64(x) / math.Pow10(scale) // both are exact, and the quotient is rounded once
	}
	return decimal(big.NewInt(x), scale)
}

// decimal returns the floating-point number nearest to x/10^scale.
func decimal(x *big.Int, scale int) float64 {
	y, _ := strconv.ParseFloat(x.String()+"e"+strconv.Itoa(-scale), 64) // no decimal of Parquet is too long for it
	return y
}

const aDay = 24 * 3600 * 1_000_000 // microseconds

// microsOf says how many microseconds a unit of a date or time has; negative, how many units a microsecond has.
func microsOf(logical schema.LogicalType) int64 {
	switch l := logical.(type) {
	case schema.DateLogicalType:
		return aDay
	case schema.TimestampLogicalType:
		switch l.TimeUnit() {
		case schema.TimeUnitMillis:
			return 1000
		case schema.TimeUnitNanos:
			return -1000
		}
	}
	return 1
}

// micros returns x units in microseconds, rounded down, unless there are too many.
func micros(x, unit int64) (int64, bool) {
	if unit > 0 {
		return x * unit, x <= math.MaxInt64/unit && x >= math.MinInt64/unit
	}
	y := x / -unit
	if x%-unit < 0 {
		y--
	}
	return y, true
}
