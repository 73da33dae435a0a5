import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortenLabels } from './labels.ts'

describe('shortened labels', () => {
  it('are cut in the middle', () => {
    expect(shortenLabels(['https://shop.test/products/red-shoes'], 17)).toEqual([
      'https://…ed-shoes',
    ])
  })

  it('stay as they are if they are short', () => {
    expect(shortenLabels(['/', '/pricing'], 8)).toEqual(['/', '/pricing'])
  })

  it('begin where they differ if their ends are alike', () => {
    const urls = ['red', 'green', 'blue'].map(
      (color) => `https://shop.test/products/${color}/details/overview`,
    )

    expect(shortenLabels(urls, 20)).toEqual([
      'http…s/red/details/…',
      'http…s/green/detail…',
      'http…s/blue/details…',
    ])
  })

  it('are cut alike if some of them would become the same', () => {
    const urls = ['1/info', '2/info', '11/info'].map((end) => `https://shop.test/products/${end}`)

    expect(shortenLabels(urls, 14)).toEqual(['http…s/1/info', 'http…s/2/info', 'http…s/11/info'])
  })

  it('stay different if only some of them start alike', () => {
    const urls = ['/a/1/all/of/it', '/a/2/all/of/it', '/b/3/none'].map(
      (end) => `docs.test/en${end}`,
    )

    expect(new Set(shortenLabels([...urls, 'x'.repeat(40)], 16)).size).toBe(4)
  })

  it('are cut between graphemes', () => {
    const [label = ''] = shortenLabels(['👩‍👩‍👧'.repeat(9)], 5)

    expect(label).toBe(`${'👩‍👩‍👧'.repeat(2)}…${'👩‍👩‍👧'.repeat(2)}`)
  })

  it.each([8, 9, 12, 14, 20])('stay different with %i characters', (limit) => {
    const urls = Array.from(
      { length: 14 },
      (_, at) => `https://www.shop.test/products/category-${at}/details/overview`,
    )
    const mixed = [...urls, ...urls.map((url) => url.replace('www', 'm')), 'direct']

    expect(new Set(shortenLabels(urls, limit)).size).toBe(urls.length)
    expect(new Set(shortenLabels(mixed, limit)).size).toBe(mixed.length)
  })

  it('are never longer than the limit', () => {
    const labels = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 8 })
    fc.assert(
      fc.property(labels, fc.integer({ min: 8, max: 30 }), (given, limit) => {
        for (const label of shortenLabels(given, limit)) {
          expect([...new Intl.Segmenter('en').segment(label)].length).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})
