import { describe, expect, it } from 'vitest'
import {
  findMentionQuery,
  listMentioned,
  matchMentionables,
  splitMentions,
  toMentionables,
} from './mention-text.ts'

const user = (id: number, first_name: string, last_name = '') => ({
  ...{ id, first_name, last_name, email: `${id}@example.com` },
})
const PEOPLE = toMentionables([
  user(1, 'Ada'),
  user(2, 'Ada', 'Lovelace'),
  user(3, 'Max'),
  user(4, 'Max'),
  user(5, ''),
])

describe('mentions', () => {
  it('name each member so that no two are alike', () => {
    expect(PEOPLE.map(({ name }) => name)).toEqual([
      ...['Ada', 'Ada Lovelace', 'Max (3@example.com)', 'Max (4@example.com)', '5@example.com'],
    ])
  })

  it.each([
    ['@', { from: 0, words: '' }],
    ['Hey @Ad', { from: 4, words: 'ad' }],
    ['Hey\n@ada love', { from: 4, words: 'ada love' }],
    ['ada@example', undefined],
    ['@Ada and @', { from: 9, words: '' }],
    ['@Ada\nnext line', undefined],
    ['none', undefined],
  ])('are looked for in %j', (text, query) => {
    expect(findMentionQuery(text, text.length)).toEqual(query)
  })

  it('match the beginnings of names', () => {
    const names = (words: string) => matchMentionables(PEOPLE, words).map(({ name }) => name)

    expect(names('love')).toEqual(['Ada Lovelace'])
    expect(names('ad')).toEqual(['Ada', 'Ada Lovelace'])
    expect(names('da')).toEqual([])
    expect(names('')).toHaveLength(5)
  })

  it('are found in a text, the longest name first', () => {
    expect(splitMentions('Hi @Ada Lovelace, and @Ada! a@b @Nobody', PEOPLE)).toEqual([
      { text: 'Hi ' },
      { text: '@Ada Lovelace', id: 2 },
      { text: ', and ' },
      { text: '@Ada', id: 1 },
      { text: '! a@b @Nobody' },
    ])
    expect(listMentioned('@Ada @Max (4@example.com) @Ada', PEOPLE)).toEqual([1, 4])
    expect(splitMentions('', PEOPLE)).toEqual([])
  })
})
