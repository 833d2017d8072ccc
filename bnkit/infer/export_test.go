package infer

// SetOrder makes the engine eliminate in the given order where tables stay small.
func (e *Engine) SetOrder(order []int) { e.order = order }
