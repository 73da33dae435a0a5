import { describe, expect, it } from 'vitest'
import { createFakeApp } from '../../test/apps/fake-app.ts'
import { importSheet } from './import.ts'
import { toCsvUrl } from './link.ts'

const SHEETS = 'https://docs.google.com/spreadsheets'

const start = (id_column = '') => {
  const sheet = { body: '', type: 'text/csv; charset=utf-8' }
  const fake = createFakeApp({
    config: {
      ...{ url: `${SHEETS}/d/a/edit`, event: 'row', distinct_id_column: 'who' },
      ...{ timestamp_column: '', id_column },
    },
    respond: () => ({ body: sheet.body, headers: { 'content-type': sheet.type } }),
  })
  return { ...fake, sheet }
}

describe('the link of a sheet', () => {
  it.each([
    [`${SHEETS}/d/e/2PACX-1/pubhtml`, `${SHEETS}/d/e/2PACX-1/pub?output=csv`],
    [
      `${SHEETS}/d/e/2PACX-1/pub?gid=3&single=true&output=csv`,
      `${SHEETS}/d/e/2PACX-1/pub?output=csv&single=true&gid=3`,
    ],
    [` ${SHEETS}/d/ab_c-1/edit?usp=sharing `, `${SHEETS}/d/ab_c-1/export?format=csv`],
    [`${SHEETS}/u/1/d/abc/edit#gid=12`, `${SHEETS}/d/abc/export?format=csv&gid=12`],
    [`${SHEETS}/d/abc`, `${SHEETS}/d/abc/export?format=csv`],
  ])('%s leads to its rows', (link, url) => {
    expect(toCsvUrl(link)).toBe(url)
  })

  it.each(['', 'abc', 'https://example.com/spreadsheets/d/abc', `${SHEETS}/create`])(
    'that is %j is refused',
    (link) => {
      expect(() => toCsvUrl(link)).toThrow('The "Link" is not that of a sheet.')
    },
  )
})

describe('a sheet', () => {
  it('may be sorted and extended anywhere, and its rows are imported once', async () => {
    const fake = start()
    fake.sheet.body = 'who,n\na,1\nb,2\nb,2\n'
    await importSheet(fake.app)
    fake.sheet.body = 'who,n\nnew,3\nb,2\na,1\nb,2\nb,2\n'

    await importSheet(fake.app)

    expect(fake.events().map(({ distinct_id }) => distinct_id)).toEqual(['a', 'b', 'b', 'new', 'b'])
  })

  it('may have IDs, by which its rows are imported once though they change', async () => {
    const fake = start('n')
    fake.sheet.body = 'who,n\na,1\nb,2\n'
    await importSheet(fake.app)
    fake.sheet.body = 'who,n\nchanged,1\nb,2\n'

    await importSheet(fake.app)

    expect(fake.events().map(({ distinct_id }) => distinct_id)).toEqual(['a', 'b'])
  })

  it('that is private, or has no such column, is refused with what to do', async () => {
    const fake = start('id')
    fake.sheet.body = 'who,n\na,1\n'
    await expect(importSheet(fake.app)).rejects.toThrow('The sheet has no column "id".')

    fake.sheet.type = 'text/html'
    await expect(importSheet(fake.app)).rejects.toThrow(
      `${SHEETS}/d/a/export is a page, not a table. Publish the sheet, share it by its link, or enter a "Service account key".`,
    )
  })
})
