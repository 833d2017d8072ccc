package parquet

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"

	"bnlab/bnkit/bn"
	"bnlab/internal/say"
)

// flush writes the pending rows as a row group.
func (w *Writer) flush() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = say.Errorf("%v", r)
		}
		if err != nil {
			err = say.Errorf("parquet: writing %s: %w", w.out.path, err)
		}
	}()
	for len(w.levels) < w.pending {
		w.levels = append(w.levels, 1)
	}
	group, err := w.file.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i, v := range w.vars {
		column, err := group.NextColumn()
		if err != nil {
			return err
		}
		if v.IsDiscrete() {
			err = w.writeStates(column, w.dicts[i], w.states[i])
			w.states[i] = w.states[i][:0]
		} else {
			err = w.writeValues(column, w.values[i])
			w.values[i] = w.values[i][:0]
		}
		if err != nil {
			return say.Errorf("column %q: %w", v.Name, err)
		}
		if err := column.Close(); err != nil {
			return say.Errorf("column %q: %w", v.Name, err)
		}
	}
	w.pending = 0
	return group.Close()
}

// writeStates writes states as what they are already, numbers into a dictionary.
func (w *Writer) writeStates(column file.ColumnChunkWriter, dict arrow.Array, states []bn.State) error {
	encoder, ok := column.CurrentEncoder().(interface{ PutDictionary(arrow.Array) error })
	if !ok {
		return fmt.Errorf("no dictionary can be written")
	}
	if err := encoder.PutDictionary(dict); err != nil {
		return err
	}
	levels, present := w.levels[:len(states)], (*memory.Buffer)(nil)
	gaps := 0
	for row, s := range states {
		if s != bn.Missing {
			continue
		}
		if gaps == 0 {
			levels = append([]int16(nil), levels...)
			bits := make([]byte, bitutil.BytesForBits(int64(len(states))))
			bitutil.SetBitsTo(bits, 0, int64(len(states)), true)
			present = memory.NewBufferBytes(bits)
		}
		gaps++
		levels[row] = 0
		bitutil.ClearBit(present.Bytes(), row)
	}
	indices := memory.NewBufferBytes(arrow.Uint16Traits.CastToBytes(states))
	cells := array.NewData(arrow.PrimitiveTypes.Uint16, len(states), []*memory.Buffer{present, indices}, nil, gaps, 0)
	defer cells.Release()
	numbers := array.NewUint16Data(cells)
	defer numbers.Release()
	return column.WriteDictIndices(numbers, levels, nil)
}

func (w *Writer) writeValues(column file.ColumnChunkWriter, values []float64) error {
	out, ok := column.(*file.Float64ColumnChunkWriter)
	if !ok {
		return fmt.Errorf("the column takes no numbers")
	}
	levels := w.levels[:len(values)]
	known := make([]float64, 0, len(values))
	for row, x := range values {
		if !math.IsNaN(x) {
			known = append(known, x)
			continue
		}
		if len(known) == row {
			levels = append([]int16(nil), levels...)
		}
		levels[row] = 0
	}
	_, err := out.WriteBatch(known, levels, nil)
	return err
}
