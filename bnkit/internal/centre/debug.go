package centre

const debug = false
