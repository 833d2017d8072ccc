package bif

import (
	"strconv"

	"bnlab/bnkit/format/internal/netdoc"
)

// pow10 holds the powers of ten that a float64 represents exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// number reads the number at pos and passes it. When the digits make an integer
// below 2^53 and there is no exponent, integer and power of ten are both exact, so
// that one division gives the nearest float64 (Clinger, How to read floating point
// numbers accurately, PLDI 1990); other numbers go to strconv.
func (s *scanner) number() (x float64, ok bool) {
	src, i := s.src, s.pos
	var mantissa uint64
	for ; i < len(src) && src[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(src[i]-'0')
	}
	digits, fraction := i-s.pos, 0
	if i < len(src) && src[i] == '.' {
		i++
		from := i
		for ; i < len(src); i++ {
			d := src[i] - '0'
			if d > 9 {
				break
			}
			mantissa = mantissa*10 + uint64(d)
		}
		fraction = i - from
		digits += fraction
	}
	// 19 digits cannot overflow a uint64.
	if digits == 0 || digits > 19 || mantissa >= 1<<53 || i == len(src) || class[src[i]]&stop == 0 {
		return s.anyNumber()
	}
	s.pos = i
	return float64(mantissa) / pow10[fraction], true
}

// anyNumber reads a decimal number of any length, with sign and exponent. Only
// digits, point, sign and e are admitted, so that inf and 0x1 are no numbers; and NaN, which tools write for
// a configuration without cases.
func (s *scanner) anyNumber() (x float64, ok bool) {
	t := *s
	word, ok := t.name()
	if !ok || s.src[s.pos] == '"' {
		return 0, false
	}
	if c := word[0] | 0x20; c == 'n' || word[len(word)-1]|0x20 == 'n' {
		if x, ok := netdoc.ParseProbability(string(word)); ok {
			s.pos = t.pos
			return x, true
		}
	}
	for _, c := range word {
		if (c < '0' || c > '9') && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil {
		return 0, false
	}
	s.pos = t.pos
	return x + 0, true // + 0 turns -0 into 0
}
