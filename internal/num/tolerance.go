package num

// RowTolerance is the largest deviation of the sum of a row of a CPT from 1. It allows for the
// rounding of published networks (seven digits).
const RowTolerance = 1e-6
