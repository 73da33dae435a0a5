/**
 * Returns a reproducible random number: the same arguments give the same result, in any order. It needs no state, so
 * any day of a world can be generated without the days before it.
 */
export function hash(seed: number, a: number, b: number): number {
  let h = seed ^ Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  h ^= h >>> 16
  h = Math.imul(h + b, 0x2c1b3c6d)
  return (h ^ (h >>> 13)) >>> 0
}

/** Returns a reproducible random number from 0 up to, but not including, 1. */
export const chance = (seed: number, a: number, b: number): number => hash(seed, a, b) / 2 ** 32

export type Weighted<T> = readonly (readonly [weight: number, value: T])[]

/** Creates a function that picks the value for a number from 0 to 1. */
export function createPicker<T>(choices: Weighted<T>): (at: number) => T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0)
  let sum = 0
  const ends = choices.map(([weight]) => {
    sum += weight
    return sum / total
  })
  return (at) => {
    const index = ends.findIndex((end) => at < end)
    return (choices.at(index) as readonly [number, T])[1]
  }
}
