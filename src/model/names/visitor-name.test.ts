import { expect, it } from 'vitest'
import { toVisitorName } from './visitor-name.ts'

it.each([
  ['0195c2f1-6aa0-7fff-9001-0c5e1d3f9a2c', 'Visitor 3f9a2c'],
  ['0195C2F1-6AA0-7FFF-9001-0C5E1D3F9A2C', 'Visitor 3f9a2c'],
  ['17d9b8f4f4a1c4-0f8a5b6c7d8e9f-978183a-384000-17d9b8f4f4b9d2', 'Visitor f4b9d2'],
])('names the visitor %s', (id, name) => {
  expect(toVisitorName(id)).toBe(name)
})

it.each(['ada', 'ada@example.com', '12345', 'user-0195c2f1', '2026-03-01', 'a-b-c-d-e', ''])(
  'leaves the chosen ID %j as it is',
  (id) => {
    expect(toVisitorName(id)).toBeUndefined()
  },
)
