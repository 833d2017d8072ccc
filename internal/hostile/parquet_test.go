package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	pq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"bnlab/bnkit/bn"
)

// parquetFiles are files of one column of text that unfold to thousands of times their size.
func parquetFiles(t *testing.T) []hostileFile {
	var names []pq.ByteArray
	for i := range 80 {
		names = append(names, pq.ByteArray(fmt.Sprint(i)+strings.Repeat("x", 1<<19)))
	}
	page := []pq.ByteArray{pq.ByteArray(strings.Repeat("x", 40<<20))}
	return []hostileFile{
		{"Parquet, long names of states", parquetOf(t, names), readParquet, "the names of states", bn.ErrTooLarge, 10,
			implied},
		{"Parquet, a large page", parquetOf(t, page), readParquet, `a page of column "c"`, bn.ErrTooLarge, 100, 0},
	}
}

// parquetOf writes texts as the column c, compressed.
func parquetOf(t *testing.T, texts []pq.ByteArray) []byte {
	t.Helper()
	node, err := schema.NewPrimitiveNodeLogical("c", pq.Repetitions.Required, schema.StringLogicalType{},
		pq.Types.ByteArray, -1, -1)
	if err != nil {
		t.Fatal(err)
	}
	root, err := schema.NewGroupNode("schema", pq.Repetitions.Required, schema.FieldList{node}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	properties := pq.NewWriterProperties(pq.WithCompression(compress.Codecs.Zstd), pq.WithDictionaryDefault(false),
		pq.WithStats(false), pq.WithDataPageSize(1<<19))
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(properties))
	group, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	column, err := group.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	for i := range texts { // each a page
		if _, err := column.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts[i:i+1], nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(column.Close(), group.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
