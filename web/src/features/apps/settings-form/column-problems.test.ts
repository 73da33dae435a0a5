import { describe, expect, it } from 'vitest'
import { findProblems } from './column-problems.ts'

const SETTINGS = [
  { key: 'url', name: 'URL' },
  { key: 'items', name: 'Items path' },
  { key: 'person', name: 'Person column', column: true },
  { key: 'time', name: 'Time column', column: true },
]
const VALUES = { url: 'https://a.test', items: '', person: 'user', time: 'when' }

const outcome = (fields: object) => ({
  ...{ state: 'failed' as const, message: '', skipped: [], count: 0 },
  ...fields,
})

const row = (reason: string) => ({ reason, row: '' })

describe('the problems of a preview', () => {
  it.each([
    [
      'the setting that a message says to set',
      { message: 'The file has no column "user". Columns: a. Set "Person column" to one of them.' },
      'person',
    ],
    ['the first setting that a message names', { message: 'Check the "URL" or more.' }, 'url'],
    [
      'the column of the rows, if all are skipped',
      { message: 'Check the "Time column".', skipped: [row('Line 2: no person ID in "user".')] },
      'person',
    ],
    [
      'the column of a date that is none',
      { state: 'succeeded', skipped: [row('Line 2: "x" in "when" is not a date.')] },
      'time',
    ],
  ])('belong to %s', (_, fields, key) => {
    expect(Object.keys(findProblems(SETTINGS, VALUES, outcome(fields)))).toEqual([key])
  })

  it.each([
    ['no setting is named', { message: 'It broke.' }],
    ['some rows become events', { state: 'succeeded', count: 1, skipped: [row('in "user".')] }],
    ['an empty setting is quoted', { message: 'The value "" is missing.' }],
  ])('belong to no field if %s', (_, fields) => {
    expect(findProblems(SETTINGS, VALUES, outcome(fields))).toEqual({})
  })
})
