package data

import "strconv"

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// parseNumber reads a decimal number: a sign, digits with at most one point
// among them, an exponent. It returns the nearest float64. Anything else, such
// as "Inf", "0x10", "1_000" or a number too large, is not ok.
//
// Up to 2^53 with a power of ten that is exact, one multiplication or division
// rounds correctly (Clinger 1990); the rest goes to strconv.
func parseNumber(b []byte) (x float64, ok bool) {
	i := 0
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var mantissa uint64
	digits, exp := 0, 0
	start := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	digits = i - start
	if i < len(b) && b[i] == '.' {
		i++
		start = i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
		}
		exp = start - i
		digits += i - start
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		minus := false
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			minus = b[i] == '-'
			i++
		}
		start = i
		e := 0
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			e = min(e*10+int(b[i]-'0'), 1e6)
		}
		if i == start {
			return 0, false
		}
		if minus {
			e = -e
		}
		exp += e
	}
	if i < len(b) {
		return 0, false
	}
	// 19 digits cannot overflow the mantissa.
	if digits > 19 || mantissa > 1<<53 || exp < -22 || exp > 22 {
		x, err := strconv.ParseFloat(string(b), 64) // string(b) of up to 32 bytes stays on the stack
		return x, err == nil
	}
	x = float64(mantissa)
	if exp < 0 {
		x /= pow10[-exp]
	} else {
		x *= pow10[exp]
	}
	if negative {
		x = -x
	}
	return x, true
}
