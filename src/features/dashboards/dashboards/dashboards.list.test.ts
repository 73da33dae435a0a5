import { describe, expect, it } from 'vitest'
import { type Client, DASHBOARDS, startApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf } from '../../../../test/support/data/dashboards.ts'

const listNames = async (client: Client, query = '') => {
  const { body } = await client.get(`${DASHBOARDS}${query}`)
  return body.results.map(({ name }: { name: string }) => name)
}

const createNamed = async (client: Client, ...names: string[]) => {
  const ids: number[] = []
  for (const name of names) ids.push((await createDashboard(client, { name })).id)
  return ids
}

const FOUND: [query: string, names: string[]][] = [
  ['?deleted=true', ['old']],
  ['?deleted=false', ['costs', 'site', 'copy', 'plain', 'Sales ÜBER 100%']],
  ['?search=über', ['costs', 'Sales ÜBER 100%']],
  ['?search=ÜBER', ['costs', 'Sales ÜBER 100%']],
  ['?search=100%25', ['Sales ÜBER 100%']],
  ['?search=%25', ['Sales ÜBER 100%']],
  ['?search=_', ['Sales ÜBER 100%']],
  ['?search=\\', []],
  ['?search=NORTH', ['Sales ÜBER 100%']],
  ['?search=', ['costs', 'site', 'copy', 'plain', 'Sales ÜBER 100%']],
  ['?tags=b', ['costs']],
  ['?tags=b&tags=North', ['costs', 'Sales ÜBER 100%']],
  ['?tags=["b","North"]', ['costs', 'Sales ÜBER 100%']],
  ['?tags=north', []],
  ['?tags=a', ['Sales ÜBER 100%']],
  ['?tags=marketing', ['site']],
  ['?pinned=true', ['costs', 'site']],
  ['?pinned=false', ['copy', 'plain', 'Sales ÜBER 100%']],
  ['?creation_mode=template', ['site']],
  ['?creation_mode=duplicate', ['copy']],
  ['?creation_mode=default', ['costs', 'plain', 'Sales ÜBER 100%']],
  ['?created_by=1', ['copy', 'plain', 'Sales ÜBER 100%']],
  ['?created_by=404', []],
  ['?created_by=1&tags=a&search=sales&pinned=false', ['Sales ÜBER 100%']],
  ['?deleted=true&tags=a&created_by=1', ['old']],
  ['?pinned=true&search=north', []],
  ['?unknown=1', ['costs', 'site', 'copy', 'plain', 'Sales ÜBER 100%']],
]

const PAGES: readonly [query: string, length: number, isLast: boolean, hasPrevious: boolean][] = [
  ['', 3, true, false],
  ['?limit=3', 3, true, false],
  ['?limit=2&offset=1', 2, true, true],
  ['?offset=2', 1, true, true],
  ['?offset=3', 0, true, true],
  ['?offset=9007199254740991', 0, true, true],
  ['?limit=1001', 3, true, false],
  ['?limit=99999999999999999999', 3, true, false],
  ['?limit=1', 1, false, false],
]

describe('the list of dashboards', () => {
  it('is empty at first', async () => {
    const api = await useApp()

    const { status, body } = await api.get(DASHBOARDS)

    expect(status).toBe(200)
    expect(body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  it('returns exactly the fields of the schema', async () => {
    const api = await useApp()
    const made = await createDashboard(api, { name: 'a', tags: ['x'], use_template: 'DEFAULT_APP' })

    const { body } = await api.get(DASHBOARDS)

    const { tiles, filters, variables, use_template, use_dashboard, delete_insights, ...item } =
      made
    expect(body.results).toEqual([item])
    expect(Object.keys(body.results[0])).toHaveLength(13)
  })

  it('sorts pinned first, then by name ignoring case, then by id', { tags: 'sql' }, async () => {
    const api = await useApp()
    await createNamed(api, 'b', 'ÄRGER', 'a', 'B', 'ärger', 'Zoo', '', 'zoo', 'Äpfel')
    await createDashboard(api, { name: 'y', pinned: true })
    await createDashboard(api, { name: 'X', pinned: true })

    const names = await listNames(api)

    expect(names).toEqual([
      ...['X', 'y'],
      ...['', 'a', 'b', 'B', 'Zoo', 'zoo', 'Äpfel', 'ÄRGER', 'ärger'],
    ])
  })

  it('re-sorts a renamed or pinned dashboard', async () => {
    const api = await useApp()
    const [a = 0, , c = 0] = await createNamed(api, 'a', 'b', 'c')
    await api.patch(pathOf(a), { name: 'D' })
    await api.patch(pathOf(c), { pinned: true })

    const names = await listNames(api)

    expect(names).toEqual(['c', 'b', 'D'])
  })

  it('is paginated, with links that keep the query string', async () => {
    const api = await useApp()
    await createNamed(api, 'a', 'b', 'c', 'd', 'e')
    const at = (query: string) => api.address(`${DASHBOARDS}?${query}`)

    const { body } = await api.get(`${DASHBOARDS}?search=&offset=2&limit=2`)

    expect(body).toMatchObject({
      count: 5,
      next: at('limit=2&offset=4&search='),
      previous: at('limit=2&search='),
      results: [{ name: 'c' }, { name: 'd' }],
    })
    const next = (await api.get(body.next.slice(api.url.length))).body
    expect(next).toMatchObject({ next: null, previous: at('limit=2&offset=2&search=') })
    expect(next.results).toMatchObject([{ name: 'e' }])
  })

  it('counts all dashboards on every page', { tags: 'sql' }, async () => {
    const api = await useApp()
    await createNamed(api, 'a', 'b', 'c')

    for (const [query, ...expected] of PAGES) {
      const { body } = await api.get(`${DASHBOARDS}${query}`)
      const page = [body.results.length, body.next === null, body.previous !== null]
      expect([query, body.count, ...page]).toEqual([query, 3, ...expected])
    }
  })

  it('returns 100 per page by default, and at most 1000', async () => {
    const api = await startApp()
    await createDashboard(api)
    const row = await api.db.selectFrom('dashboards').selectAll().executeTakeFirstOrThrow()
    const copies = Array.from({ length: 1000 }, (_, index) => ({ ...row, id: index + 2 }))
    for (let from = 0; from < 1000; from += 200) {
      await api.db
        .insertInto('dashboards')
        .values(copies.slice(from, from + 200))
        .execute()
    }

    const sizes = [await listNames(api), await listNames(api, '?limit=5000')].map(
      (all) => all.length,
    )

    expect(sizes).toEqual([100, 1000])
  })

  it.each([
    ['limit', '0', 'min_value'],
    ['limit', '-1', 'min_value'],
    ['limit', 'x', 'invalid_input'],
    ['limit', '1.5', 'invalid_input'],
    ['limit', '', 'invalid_input'],
    ['offset', '-1', 'min_value'],
    ['offset', 'x', 'invalid_input'],
    ['offset', '9007199254740992', 'max_value'],
    ['offset', '%00', 'null_characters_not_allowed'],
    ['tags', '%00', 'null_characters_not_allowed'],
    ['pinned', 'maybe', 'invalid_input'],
    ['deleted', '2', 'invalid_input'],
    ['creation_mode', 'unlisted', 'invalid_choice'],
    ['created_by', 'x', 'invalid_input'],
    ['search', 'x'.repeat(201), 'max_length'],
  ])('refuses %s=%s', async (attr, value, code) => {
    const api = await useApp()

    const { status, body } = await api.get(`${DASHBOARDS}?${attr}=${value}`)

    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'validation_error', code, attr })
  })

  /** Five live dashboards and one in the trash, of two users. */
  async function startWithSome() {
    const api = await useApp()
    const member = await api.as({})
    const sales = { name: 'Sales ÜBER 100%', description: 'money_in', tags: ['a', 'North'] }
    const { id: first } = await createDashboard(api, sales)
    await createDashboard(member, { name: 'costs', description: 'Über', tags: ['b'], pinned: true })
    await createDashboard(member, { name: 'site', use_template: 'WEBSITE_TRAFFIC', pinned: true })
    await createDashboard(api, { name: 'copy', use_dashboard: first, tags: ['["a"]', 'a"'] })
    const { id: plain } = await createDashboard(api, { name: 'plain' })
    await createDashboard(api, { ...sales, name: 'old', deleted: true })
    return { api, member, sales: first, plain }
  }

  it('applies each filter, and several at once', { tags: 'sql' }, async () => {
    const { api } = await startWithSome()

    const pages = await Promise.all(FOUND.map(([query]) => api.get(`${DASHBOARDS}${query}`)))

    const found = pages.map(({ body: { count, results } }, index) => {
      return [FOUND[index]?.[0], results.map(({ name }: { name: string }) => name), count]
    })
    expect(found).toEqual(FOUND.map(([query, names]) => [query, names, names.length]))
  })

  it("finds dashboards by their creator's UUID in any notation", { tags: 'sql' }, async () => {
    const { api, member } = await startWithSome()
    const spellings = [member.uuid, member.uuid.toUpperCase(), member.uuid.replaceAll('-', '')]

    for (const spelling of [...spellings, String(member.userId)]) {
      expect(await listNames(api, `?created_by=${spelling}`)).toEqual(['costs', 'site'])
    }
  })

  it('searches the current text, not the former one', { tags: 'sql' }, async () => {
    const { api, sales, plain } = await startWithSome()
    await api.patch(pathOf(sales), { tags: ['South'] })
    await api.patch(pathOf(plain), { description: 'northern' })

    const found = [await listNames(api, '?search=north'), await listNames(api, '?search=south')]

    expect(found).toEqual([['plain'], ['Sales ÜBER 100%']])
    expect(await listNames(api, '?tags=North')).toEqual([])
  })
})
