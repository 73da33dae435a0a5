import { describe, expect, it } from 'vitest'
import { toPlainLines } from './markdown.ts'

describe('Markdown in a picture', () => {
  it.each([
    ['plain', 'plain'],
    ['**bold** and *slanted* and `code`', 'bold and slanted and code'],
    ['see [the docs](https://docs.test/a_b)', 'see the docs'],
    ['![a picture](x.png)', 'a picture'],
    ['- one', '• one'],
    ['> said', 'said'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ])('%j reads %j', (markdown, text) => {
    expect(toPlainLines(markdown)).toEqual([{ text, isHeading: false }])
  })

  it('keeps headings apart and leaves rules and fences out', () => {
    expect(toPlainLines('## Title\n---\n```js\ncode\n```')).toEqual([
      { text: 'Title', isHeading: true },
      { text: 'code', isHeading: false },
    ])
  })
})
