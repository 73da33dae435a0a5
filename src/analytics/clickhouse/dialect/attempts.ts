import type { Piece } from './types.ts'

/** A step of a person is one number, so that a list is sorted fast: the moment, and in 5 bits its place in the moment. */
const PLACES = 32

const placeOf = (step: string): string => `bitAnd(${step}, ${PLACES - 1})`
const momentOf = (step: string): string => `bitShiftRight(${step}, ${Math.log2(PLACES)})`

/**
 * Writes an aggregate: the times of the furthest attempt of an ordered funnel. `steps` has a condition and a place for
 * each step. Steps of the same moment are taken in the order of their places.
 *
 * Folds over the steps of the funnel, with all steps of the person that may still count, beside each of them the attempt
 * that it completed up to the last step, and the furthest attempt. A step continues the last attempt before it: it began
 * last, so if it began too long ago, all others did too.
 */
export function findFurthestAttempt(ms: Piece, windowMs: Piece, steps: readonly Piece[]): Piece {
  const conditions = steps.filter((_, index) => index % 2 === 0).map(({ text }) => text)
  const [first, ...later] = steps.filter((_, index) => index % 2 === 1).map(({ text }) => text)
  const taken = [first, ...later].map((place) => `toInt64(${ms.text} * ${PLACES} + ${place})`)
  const ofEvent = `arrayFilter((step, is_step) -> is_step, [${taken.join(', ')}], [${conditions.map((is) => `ifNull(${is}, false)`).join(', ')}])`
  const begun = `arrayMap(step -> if(${placeOf('step')} = ${first}, [${momentOf('step')}], []), steps)`
  const canContinue = `notEmpty(before) and ${momentOf('step')} - before[1] <= ${windowMs.text}`
  const reached = `arrayMap((before, step) -> if(${placeOf('step')} = place and ${canContinue},
      arrayPushBack(before, ${momentOf('step')}), []),
    arrayFill(attempt -> notEmpty(attempt), so_far.2), so_far.1)`
  const mayCount = `notEmpty(attempt) or (${placeOf('step')} <> place and empty(before))`
  const text = `arrayFold(
    (so_far, place) -> (
      arrayFilter((step, before, attempt) -> ${mayCount}, so_far.1, so_far.2, ${reached} as reached),
      arrayFilter((attempt, step, before) -> ${mayCount}, reached, so_far.1, so_far.2),
      if(arrayExists(attempt -> notEmpty(attempt), reached), arrayFirst(attempt -> notEmpty(attempt), reached), so_far.3)),
    [${later.join(', ')}],
    (arraySort(groupArrayArray(${ofEvent})) as steps, ${begun} as begun, arrayFirst(attempt -> notEmpty(attempt), begun))).3`
  return { text, type: 'array' }
}

/** Writes when a step was taken; NULL if it was not. */
export const readStepTime = (attempt: string, step: string): string =>
  `if(length(${attempt}) >= ${step}, ${attempt}[${step}], NULL)`
