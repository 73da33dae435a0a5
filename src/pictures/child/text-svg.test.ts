import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../test/pictures/xml.ts'
import { markdownSvg } from './text-svg.ts'

const draw = (markdown: string, height = 200, width = 320) =>
  parseXml(`<svg>${markdownSvg(markdown, { x: 0, y: 0, width, height, scheme: 'light' })}</svg>`)

const linesOf = (markdown: string, height?: number, width?: number): string[] => {
  const lines = new Map<string, string>()
  let y = ''
  for (const { name, attributes, text } of draw(markdown, height, width)) {
    if (name === 'text') y = attributes.y ?? ''
    if (name === 'tspan') lines.set(y, [lines.get(y), text].filter(Boolean).join(' '))
  }
  return [...lines.values()]
}

describe('the text of a tile in a picture', () => {
  it('keeps bold parts', () => {
    const spans = draw('Read **this** first').filter(({ name }) => name === 'tspan')

    expect(spans.map(({ text, attributes }) => [text, attributes['font-weight']])).toEqual([
      ['Read', '400'],
      ['this', '600'],
      ['first', '400'],
    ])
  })

  it('keeps lists, with wrapped lines below their text', () => {
    const texts = draw('- a rather long item that needs two lines\n  1. inner', 200, 200).filter(
      ({ name }) => name === 'text',
    )

    expect(texts.map(({ attributes: { x, y } }) => [x, y])).toEqual([
      ['16', '28'],
      ['34', '28'],
      ['34', '48'],
      ['34', '68'],
      ['52', '68'],
    ])
  })

  it('ends with an ellipsis if it does not fit', () => {
    expect(linesOf('one\n\ntwo\n\nthree\n\nfour', 90)).toEqual(['one', 'two …'])
    expect(linesOf('one\n\ntwo', 90)).toEqual(['one', 'two'])
  })

  it('wraps long paragraphs and cuts only words that are wider than the tile', () => {
    const lines = linesOf(`${'word '.repeat(30)}${'x'.repeat(100)}`, 400)

    expect(lines.join(' ').match(/word/g)?.length).toBe(30)
    expect(lines.at(-1)).toMatch(/^x+…$/)
  })
})
