import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { addEvents, doing, setting } from '../../../../test/support/data/persons.ts'

const PERSONS = 'persons'

interface Page {
  readonly count: number
  readonly next: string | null
  readonly results: { readonly distinct_ids: string[] }[]
}

const idsOf = ({ results }: Page): (string | undefined)[] =>
  results.map(({ distinct_ids: [first] }) => first).toSorted()

const search = async (api: TestApp, text: string, more = ''): Promise<Page> =>
  (await api.get(`${PERSONS}?search=${encodeURIComponent(text)}${more}`)).body

describe('a search for persons', { tags: 'sql' }, () => {
  it('finds only the person of a whole e-mail address or long ID', async () => {
    const api = await useApp()
    await addEvents(
      api,
      setting('ada', { email: 'Ada@example.com' }),
      setting('nada', { email: 'nada@example.com' }),
      doing('user-1234'),
      doing('user-12345'),
    )

    expect(idsOf(await search(api, 'ada@EXAMPLE.com'))).toEqual(['ada'])
    expect(idsOf(await search(api, 'user-1234'))).toEqual(['user-1234'])
    expect(idsOf(await search(api, 'user-123'))).toEqual(['user-1234', 'user-12345'])
    expect(idsOf(await search(api, 'da@example.com'))).toEqual(['ada', 'nada'])
  })

  it('finds a short ID together with everyone who has it in a name', async () => {
    const api = await useApp()
    await addEvents(api, doing('ada'), setting('bob', { name: 'Adam' }))

    expect(idsOf(await search(api, 'ada'))).toEqual(['ada', 'bob'])
  })

  it('reaches every match page by page, and counts them all on the last page', async () => {
    const api = await useApp()
    await addEvents(api, ...['a', 'b', 'c', 'd', 'e'].map((id) => doing(`visitor ${id}`)))
    await addEvents(api, doing('someone else'))

    const pages: Page[] = []
    for (let offset = 0; ; offset += 2) {
      const page = await search(api, 'visitor', `&limit=2&offset=${offset}`)
      pages.push(page)
      if (page.next === null) break
    }

    expect(pages.flatMap(idsOf)).toHaveLength(5)
    expect(new Set(pages.flatMap(idsOf)).size).toBe(5)
    expect(pages.map(({ count }) => count)).toEqual([3, 5, 5])
    expect(await search(api, 'visitor', '&offset=50')).toMatchObject({ count: 5, results: [] })
    expect(await search(api, 'nobody')).toMatchObject({ count: 0, results: [], next: null })
  })

  it('combines with other filters', async () => {
    const api = await useApp()
    await addEvents(
      api,
      setting('user-1234', { plan: 'pro' }),
      setting('user-9876', { plan: 'free' }),
    )
    const isFree = encodeURIComponent(JSON.stringify([{ key: 'plan', value: 'free' }]))

    expect(idsOf(await search(api, 'user-', `&properties=${isFree}`))).toEqual(['user-9876'])
    expect(idsOf(await search(api, 'user-1234', `&properties=${isFree}`))).toEqual([])
  })
})
