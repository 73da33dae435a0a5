import { expect, it } from 'vitest'
import { findNearest } from './points.ts'

const lines = (stack?: string) =>
  [
    [10, 10],
    [30, null],
    [20, 5],
  ].map((data, at) => ({ at, data, ...(stack && { stack }) }))

it.each([
  [0, 12, 0],
  [0, 24, 2],
  [0, 99, 1],
  [1, 99, 0],
])('a click at interval %i and value %i counts for line %i', (item, value, series) => {
  expect(findNearest(lines(), item, value)).toEqual({ series, item })
})

it.each([
  [0, 4, 0],
  [0, 11, 1],
  [0, 41, 2],
  [0, 99, 2],
])('a click at interval %i and value %i counts for area %i', (item, value, series) => {
  expect(findNearest(lines('all'), item, value)).toEqual({ series, item })
})

it('a click where no line has a value counts for none', () => {
  expect(findNearest(lines(), 5, 1)).toBeUndefined()
})
