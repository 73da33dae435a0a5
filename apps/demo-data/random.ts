/**
 * Chance that can be asked for again: the same numbers give the same answer, in any order. Nothing has to be kept, so
 * any day of a world can be made without those before it.
 */
export function hash(seed: number, a: number, b: number): number {
  let h = seed ^ Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  h ^= h >>> 16
  h = Math.imul(h + b, 0x2c1b3c6d)
  return (h ^ (h >>> 13)) >>> 0
}

/** From 0 to 1, without 1. */
export const chance = (seed: number, a: number, b: number): number => hash(seed, a, b) / 2 ** 32

export type Weighted<T> = readonly (readonly [weight: number, value: T])[]

/** A function that finds the value for a number from 0 to 1. */
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
