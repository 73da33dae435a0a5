import { expect, it } from 'vitest'
import { findBar, findNearest } from './points.ts'

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

it.each([
  [0.7, 0],
  [1, 1],
  [1.3, 2],
  [1.49, 2],
])('a click at %f above bars side by side counts for bar %i', (place, series) => {
  const bars = [4, 5, { value: 6 }].map((data, at) => ({ at, data: [1, data] }))

  expect(findBar(bars, place, 99)).toEqual({ series, item: 1 })
})

it('a click above stacked bars counts for the top one', () => {
  const bars = [4, 5].map((data, at) => ({ at, stack: 'all', data: [data] }))

  expect(findBar(bars, 0.2, 99)).toEqual({ series: 1, item: 0 })
  expect(findBar(bars, 0.2, 3)).toEqual({ series: 0, item: 0 })
})

it('a click beside stacked bars counts for those on its side of the axis', () => {
  const bars = [4, 5, -3].map((data, at) => ({ at, stack: 'all', data: [data] }))

  expect(findBar(bars, 0, 99)).toEqual({ series: 1, item: 0 })
  expect(findBar(bars, 0, -99)).toEqual({ series: 2, item: 0 })
})
