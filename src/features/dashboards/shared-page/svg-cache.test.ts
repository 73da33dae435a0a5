import { describe, expect, it } from 'vitest'
import type { Pictures } from '#server/pictures/contract.ts'
import { createSvgCache, type SvgRequest } from './svg-cache.ts'

const request = (more: Partial<SvgRequest> = {}): SvgRequest => ({
  chart: { title: 'Visits', query: { kind: 'TrendsQuery' }, result: [] },
  version: 'one',
  width: 300,
  height: 200,
  ...more,
})

/** Draws only when the test allows it. */
function startDrawings(draw: (count: number) => string) {
  let count = 0
  const inlineSvg: Pictures['inlineSvg'] = async () => draw(++count)
  return { drawings: createSvgCache({ inlineSvg } as Pictures), drawn: () => count }
}

describe('charts of shared pages', () => {
  it('are drawn once per result, name and size', async () => {
    const { drawings, drawn } = startDrawings((count) => `<svg ${count}>`)
    const named = request({ chart: { ...request().chart, title: 'Other' } })

    const first = await Promise.all([drawings.find([request()]), drawings.find([request()])])
    const again = await drawings.find([request(), request({ version: 'two' }), named])

    expect(first).toEqual([[{ svg: '<svg 1>' }], [{ svg: '<svg 1>' }]])
    expect(again).toEqual([{ svg: '<svg 1>' }, { svg: '<svg 2>' }, { svg: '<svg 3>' }])
    expect(drawn()).toBe(3)
  })

  it('are not retried at once after a failure', async () => {
    const { drawings, drawn } = startDrawings(() => {
      throw new Error('no ink')
    })

    const [first, again] = [await drawings.find([request()]), await drawings.find([request()])]

    expect([first, again, drawn()]).toEqual([['failed'], ['failed'], 1])
  })

  it('are evicted beyond the memory limit', async () => {
    const megabyte = 'x'.repeat(1024 * 1024)
    const { drawings, drawn } = startDrawings(() => megabyte)
    for (let version = 0; version < 40; version++) {
      await drawings.find([request({ version: `${version}` })])
    }

    await drawings.find([request({ version: '0' })])

    expect(drawn()).toBe(41)
  })
})
