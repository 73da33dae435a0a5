import { expect, it } from 'vitest'
import { parseXml } from '../../../test/pictures/xml.ts'
import { trend, trendsQuery } from '../../../test/support/data/results.ts'
import { draw } from './draw.ts'
import { textWidth } from './fonts.ts'

const DAY = 86_400_000
const DAYS = Array.from({ length: 91 }, (_, at) =>
  new Date(Date.UTC(2026, 7, 16) + at * DAY).toISOString().slice(0, 10),
)
const SHARES: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 }

/** Returns the left and right ends of the labels below a chart of 91 days, from left to right. */
async function labelsAt(width: number) {
  const result = [trend('visits', DAYS.map(Number.parseFloat), { days: DAYS })]
  const chart = { title: '', query: trendsQuery('ActionsLineGraph'), result }
  const drawn = await draw({ type: 'svg', chart, look: { scheme: 'light', width, height: 300 } })
  if ('failure' in drawn) throw new Error(drawn.failure)
  return parseXml(String(drawn.picture))
    .filter(({ name, text }) => name === 'text' && /^\d+ [A-Z][a-z]{2}$/.test(text))
    .map(({ attributes, text }) => {
      const [, x] = /translate\(([\d.]+)/.exec(attributes.transform ?? '') ?? []
      const size = textWidth(text, 12, 400)
      const left = Number(x) - size * (SHARES[attributes['text-anchor'] ?? 'start'] ?? 0)
      return { text, left, right: left + size }
    })
    .toSorted((one, other) => one.left - other.left)
}

/** Returns the day of a label: `16 Aug` is `2026-08-16`. */
const toDay = (label: string): string => new Date(`${label} 2026 UTC`).toISOString().slice(0, 10)

it('keeps the labels of a time axis equally far apart, and begins with the first day', async () => {
  for (let width = 300; width <= 1200; width += 30) {
    const labels = await labelsAt(width)

    expect(labels.length).toBeGreaterThan(1)
    expect([width, labels[0]?.text]).toEqual([width, '16 Aug'])
    const places = labels.map(({ text }) => DAYS.indexOf(toDay(text)))
    const steps = new Set(places.slice(1).map((place, at) => place - (places[at] ?? 0)))
    expect([width, steps.size]).toEqual([width, 1])
    const close = labels.filter(({ left }, at) => left - (labels[at - 1]?.right ?? -99) < 12)
    expect([width, close]).toEqual([width, []])
  }
})
