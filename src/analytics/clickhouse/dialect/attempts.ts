import type { Piece } from './types.ts'

/** A step of a person is one number, so that a list is sorted fast: the moment, and in 5 bits its place in the moment. */
const PLACES = 32

const placeOf = (step: string): string => `bitAnd(${step}, ${PLACES - 1})`
const momentOf = (step: string): string => `bitShiftRight(${step}, ${Math.log2(PLACES)})`

/** Writes an aggregate: the steps of a person in their order. `steps` has a condition and a place for each step. */
export function listSteps(ms: Piece, steps: readonly Piece[]): Piece {
  const conditions = steps.filter((_, index) => index % 2 === 0)
  const places = steps.filter((_, index) => index % 2 === 1)
  const taken = places.map((place) => `toInt64(${ms.text} * ${PLACES} + ${place.text})`)
  const isTaken = conditions.map(({ text }) => `ifNull(${text}, false)`)
  const ofEvent = `arrayFilter((step, is_step) -> is_step, [${taken.join(', ')}], [${isTaken.join(', ')}])`
  return { text: `arraySort(groupArrayArray(${ofEvent}))`, type: 'array' }
}

/**
 * Writes the times of the furthest attempt of an ordered funnel among the steps of a person. `places` has the place of
 * each step of the funnel. Steps of the same moment are taken in the order of their places.
 *
 * Folds over the steps of the funnel, with all steps of the person that may still count, beside each of them the attempt
 * that it completed up to the last step, and the furthest attempt. A step continues the last attempt before it: it began
 * last, so if it began too long ago, all others did too. Most persons never take the second step, and need no fold.
 */
export function findFurthestAttempt(
  steps: Piece,
  windowMs: Piece,
  [first, ...later]: readonly Piece[],
): Piece {
  const [begin, second] = [first?.text, later[0]?.text]
  const begun = `arrayMap(step -> if(${placeOf('step')} = ${begin}, [${momentOf('step')}], []), ${steps.text})`
  const canContinue = `notEmpty(before) and ${momentOf('step')} - before[1] <= ${windowMs.text}`
  const reached = `arrayMap((before, step) -> if(${placeOf('step')} = place and ${canContinue},
      arrayPushBack(before, ${momentOf('step')}), []),
    arrayFill(attempt -> notEmpty(attempt), so_far.2), so_far.1)`
  const mayCount = `notEmpty(attempt) or (${placeOf('step')} <> place and empty(before))`
  const furthest = `arrayFold(
    (so_far, place) -> (
      arrayFilter((step, before, attempt) -> ${mayCount}, so_far.1, so_far.2, ${reached} as reached),
      arrayFilter((attempt, step, before) -> ${mayCount}, reached, so_far.1, so_far.2),
      if(arrayExists(attempt -> notEmpty(attempt), reached), arrayFirst(attempt -> notEmpty(attempt), reached), so_far.3)),
    [${later.map(({ text }) => text).join(', ')}],
    (${steps.text}, ${begun} as begun, arrayFirst(attempt -> notEmpty(attempt), begun))).3`
  const beginning = `arrayMap(step -> ${momentOf('step')},
    arraySlice(arrayFilter(step -> ${placeOf('step')} = ${begin}, ${steps.text}), 1, 1))`
  const text = `if(arrayExists(step -> ${placeOf('step')} = ${second}, ${steps.text}), ${furthest}, ${beginning})`
  return { text, type: 'array' }
}

/** Writes when a step was taken; NULL if it was not. */
export const readStepTime = (attempt: string, step: string): string =>
  `if(length(${attempt}) >= ${step}, ${attempt}[${step}], NULL)`
