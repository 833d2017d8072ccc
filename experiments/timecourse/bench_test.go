package timecourse

import "testing"

// BenchmarkMethods is a run of 100 iterations by each method, with the first point and the
// last.
func BenchmarkMethods(b *testing.B) {
	for i, s := range load(b) {
		subject := testSubject(b, i)
		for _, m := range methods() {
			b.Run(s.name+"/"+m.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := subject.run(b.Context(), m.of(s.statements()), subject.from(0, 100), m.score,
						func(i int) bool { return i%100 == 0 }); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
