package scale

// What a cluster would take is reckoned, not measured:
//
//	processor hours = processor seconds a row, at the largest size measured, × rows / 3600
//	hours           = processor hours / cores + statements × planning / 3600
//
// Statements and fetched rows are those measured at the largest size: neither depends on the
// rows once every joint state has been seen, but for a climb that takes other moves. The file is
// as large as its bytes a row say. It is assumed that the engine divides rows evenly and spends
// on a row what the engine measured here does, which those that shuffle rows between machines
// before they count exceed; counting needs no shuffle but of the counts themselves.
const (
	clusterRows = 10_000_000_000
	planning    = 2.0 // seconds in which a distributed engine plans and starts a statement
)

// clusterCores are the sizes of a cluster.
var clusterCores = []int{16, 64, 256}

// A projection is one task on a cluster.
type projection struct {
	engine, task   string
	from           int // rows that were measured
	bytesPerRow    float64
	terabytes      float64
	statements     int
	rowsFetched    int64
	processorHours float64
	cores          int
	hours          float64
}

// cluster reckons with the engine that a database is, where it was measured.
func (r *Results) cluster() []projection {
	var list []projection
	for _, engine := range r.engines {
		for _, name := range r.names() {
			measured := r.of(engine, name)
			if len(measured) == 0 {
				continue
			}
			one := measured[len(measured)-1]
			if one.cost.Statements == 0 || !(one.processor > 0) {
				continue
			}
			p := projection{engine: engine, task: name, from: one.rows, statements: one.cost.Statements,
				rowsFetched: one.cost.Rows}
			for _, f := range r.Files {
				if f.Rows == one.rows {
					p.bytesPerRow = float64(f.Bytes) / float64(f.Rows)
				}
			}
			p.terabytes = p.bytesPerRow * clusterRows / 1e12
			p.processorHours = one.processor / float64(one.rows) * clusterRows / 3600
			for _, cores := range clusterCores {
				p.cores = cores
				p.hours = p.processorHours/float64(cores) + float64(p.statements)*planning/3600
				list = append(list, p)
			}
		}
	}
	return list
}
