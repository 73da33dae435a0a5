import { describe, expect, it } from 'vitest'
import { type TextLine, toTextLines } from './markdown.ts'

/** Writes a line as text: bold parts in asterisks, after its indent and mark. */
const toText = ({ spans, indent, mark = '' }: TextLine): string =>
  `${'>'.repeat(indent)}${mark}${spans.map(({ text, isBold }) => (isBold ? `*${text}*` : text)).join('')}`

const textsOf = (markdown: string): string[] => toTextLines(markdown).map(toText)

describe('Markdown in a picture', () => {
  it.each([
    ['plain', 'plain'],
    ['**bold** and *slanted* and `code`', '*bold* and slanted and code'],
    ['**bold with *slanted* inside**', '*bold with **slanted** inside*'],
    ['see [the docs](https://docs.test/a_b)', 'see the docs'],
    ['![a picture](x.png)', 'a picture'],
    ['- one', '>•one'],
    ['- one **two**', '>•one *two*'],
    ['> said', 'said'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ])('turns %j into %j', (markdown, text) => {
    expect(textsOf(markdown)).toEqual([text])
  })

  it.each([
    ['1. one\n2. two', ['>1.one', '>2.two']],
    ['- one\n  - two\n- three', ['>•one', '>>•two', '>•three']],
    ['first\nsecond', ['first', 'second']],
    ['first\n\n\nsecond', ['first', '', 'second']],
    ['a & b < c', ['a & b < c']],
    ['| a | b |\n| - | - |\n| **1** | 2 |', ['*a* | *b*', '*1* | 2']],
    ['- [x] done', ['>•[x] done']],
    ['[a *b* `c`](https://x.test "title")', ['a b c']],
  ])('splits %j into lines', (markdown, lines) => {
    expect(textsOf(markdown)).toEqual(lines)
  })

  it('keeps text that is nested too deeply as it is', () => {
    const markdown = `${'> '.repeat(9000)}deep`
    expect(textsOf(markdown)).toEqual([markdown])
  })

  it('marks headings and drops rules and fences', () => {
    const lines = toTextLines('## Title\n---\n```js\ncode\n```')

    expect(lines.map(toText)).toEqual(['Title', 'code'])
    expect(lines.map(({ isHeading }) => isHeading)).toEqual([true, false])
  })
})
