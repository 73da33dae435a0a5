import { expect, it } from 'vitest'
import { notAppliedNote } from './not-applied-note.ts'

it.each([
  [[], undefined],
  [['date_from'], 'Dashboard start date not applied'],
  [['date_from', 'date_to'], 'Dashboard dates not applied'],
  [['properties'], 'Dashboard filters not applied'],
  [['date_from', 'date_to', 'properties'], 'Dashboard dates and filters not applied'],
])('reports filters that do not apply: %j as %j', (keys, note) => {
  expect(notAppliedNote(keys)).toBe(note)
})
