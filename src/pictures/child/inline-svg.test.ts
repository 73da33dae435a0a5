import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../test/pictures/xml.ts'
import { CHARTS } from '../../../test/support/data/results.ts'
import { inBothSchemes, inlineSvg } from './inline-svg.ts'

const look = { width: 560, height: 300, idPrefix: 'd0-' }

describe('inline SVG', () => {
  it.each(Object.entries(CHARTS))('contains the colors of both schemes for %s', (_, chart) => {
    const svg = inlineSvg(chart, look, (problem) => expect.unreachable(problem))

    parseXml(svg)
    expect(svg).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 560 300" role="img"><title>/)
    expect(svg).toContain('light-dark(')
    expect(svg).not.toMatch(/ style=|<style|<script| on\w+=/)
  })

  it('uses light-dark() only for colors that differ', () => {
    const light = '<g fill="#fff"><text fill="#1c2420">#1c2420</text></g>'
    const dark = '<g fill="#fff"><text fill="#e4e9e6">#1c2420</text></g>'

    expect(inBothSchemes(light, dark)).toBe(
      '<g fill="#fff"><text fill="light-dark(#1c2420,#e4e9e6)">#1c2420</text></g>',
    )
  })

  it('falls back to the light drawing if more than colors differs', () => {
    expect(inBothSchemes('<g x="1" fill="#fff"/>', '<g x="2" fill="#000"/>')).toBe(
      '<g x="1" fill="#fff"/>',
    )
  })
})
