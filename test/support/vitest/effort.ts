/** True in `npm run check:full`, which tries far more generated cases than `npm test`. */
export const isFull = process.env.TEST_EFFORT === 'full'

/** Returns how many cases fast-check generates: a fifth of the full number in the fast check. */
export const numRuns = (full: number, fast = Math.ceil(full / 5)): { numRuns: number } => ({
  numRuns: isFull ? full : fast,
})
