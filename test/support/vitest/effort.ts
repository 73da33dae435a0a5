/** True in `npm run check:full`, which tries far more generated cases than `npm test`. */
export const isFull = process.env.TEST_EFFORT === 'full'

/** A slow engine gets a tenth of the cases of the fast check. */
const isSmall = process.env.TEST_EFFORT === 'small'

/** Returns how many cases fast-check generates: a fifth of the full number in the fast check. */
export const numRuns = (full: number, fast = Math.ceil(full / 5)): { numRuns: number } => ({
  numRuns: isFull ? full : isSmall ? Math.ceil(fast / 10) : fast,
})
