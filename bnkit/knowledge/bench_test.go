package knowledge_test

import (
	"strings"
	"testing"

	"bnlab/bnkit/knowledge"
)

// BenchmarkParse reads and writes a file of a thousand statements.
func BenchmarkParse(b *testing.B) {
	file := []byte(heart + strings.Repeat("- influence: {parent: age, child: ill, sign: positive}\n  source: Y13 "+
		"§5\n  mark: P\n", 1000))
	k, err := knowledge.Parse("k.yaml", file)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(file)))
		for b.Loop() {
			if _, err := knowledge.Parse("k.yaml", file); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := k.Marshal(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
