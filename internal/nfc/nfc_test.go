package nfc

import "testing"

func TestName(t *testing.T) {
	const composed, apart, hangul, jamo = "caf\u00e9", "cafe\u0301", "\uac00", "\u1100\u1161"
	for _, test := range []struct {
		list []string
		name string
		want string // empty for none
	}{
		{[]string{"tea", composed}, composed, composed},
		{[]string{"tea", composed}, apart, composed},
		{[]string{"tea", apart}, composed, apart},
		{[]string{composed, apart}, apart, apart}, // itself first
		{[]string{composed, apart}, composed, composed},
		{[]string{"e\u0323\u0307", "e\u0307\u0323"}, "\u1eb9\u0307", ""}, // two are as good
		{[]string{jamo}, hangul, jamo},
		{[]string{composed}, "cafe", ""},
		{[]string{"cafe"}, composed, ""},
		{[]string{"K"}, "\u212a", ""}, // a Kelvin sign is a K to NFC, and no name of letters
		{nil, apart, ""},
	} {
		got, ok := Name(test.list, test.name)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%+q in %+q: %+q, %t, want %+q", test.name, test.list, got, ok, test.want)
		}
	}
}
