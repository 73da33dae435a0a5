/**
 * Node strips the types in place, so stack traces need no source maps. Looking for one in each compiled function takes 2 %
 * of the CPU time.
 */
process.setSourceMapsEnabled(false)
