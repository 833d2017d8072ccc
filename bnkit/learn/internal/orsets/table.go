package orsets

// read takes λ: logits of links, then those of P_i(1) by place.
func (b *Sets) read(lambda []float64) {
	sets := b.Len()
	b.Link(lambda[:sets])
	for place, x := range lambda[sets:] {
		b.P[place], b.NoP[place] = logistics2(x)
	}
	b.Mix()
}

// Table writes the table at λ. (Y13 Eqs. 8 and 9.)
func (b *Sets) Table(dst, lambda []float64) {
	b.read(lambda)
	for config := range len(dst) / 2 {
		dst[2*config+1-b.Present], dst[2*config+b.Present] = b.Entries(config)
	}
}

// Pullback writes the derivatives by λ for those by table entry, g. (Y13 Eqs. 10 to 13.)
func (b *Sets) Pullback(dst, lambda, g []float64) {
	b.read(lambda)
	clear(b.Slope)
	for config := range len(g) / 2 {
		b.Pull(config, g[2*config+1-b.Present]-g[2*config+b.Present])
	}
	sets := b.Len()
	b.LinkSlopes(dst[:sets])
	for i := range sets {
		for place := b.First[i]; place < b.First[i+1]; place++ {
			dst[sets+place] = b.CauseSlope(i, place) * b.P[place] * b.NoP[place]
		}
	}
}
