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
  ])('turns %j into %j', (markdown, text) => {
    expect(toPlainLines(markdown)).toEqual([{ text, isHeading: false }])
  })

  it.each([
    ['1. one\n2. two', ['1. one', '2. two']],
    ['- one\n  - two\n- three', ['• one', '• two', '• three']],
    ['first\nsecond', ['first', 'second']],
    ['first\n\n\nsecond', ['first', '', 'second']],
    ['a & b < c', ['a & b < c']],
    ['| a | b |\n| - | - |\n| **1** | 2 |', ['a | b', '1 | 2']],
    ['- [x] done', ['• [x] done']],
    ['[a *b* `c`](https://x.test "title")', ['a b c']],
    [`${'> '.repeat(9000)}deep`, [`${'> '.repeat(9000)}deep`]],
  ])('splits %j into lines', (markdown, lines) => {
    expect(toPlainLines(markdown).map(({ text }) => text)).toEqual(lines)
  })

  it('marks headings and drops rules and fences', () => {
    expect(toPlainLines('## Title\n---\n```js\ncode\n```')).toEqual([
      { text: 'Title', isHeading: true },
      { text: 'code', isHeading: false },
    ])
  })
})
