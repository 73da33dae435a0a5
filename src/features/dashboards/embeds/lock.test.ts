import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../../../../test/support/app/app.ts'
import { createDashboard } from '../../../../test/support/data/dashboards.ts'
import {
  createEmbedSecret,
  type EmbedSecret,
  inSeconds,
  signEmbed,
} from '../../../../test/support/data/embeds.ts'
import { toEvent } from '../../../../test/support/data/queries.ts'
import { addVisits, daysAgo, visits } from '../../../../test/support/data/visits.ts'
import { until } from '../../../../test/support/until.ts'
import { numRuns } from '../../../../test/support/vitest/effort.ts'

const OWN = { tenant: 'acme', note: 'own-note' }
/** No request names the note, so a response that does contains a foreign row. */
const FOREIGN = { tenant: 'globex', note: 'foreign-note' }
const [OWN_COUNT, FOREIGN_COUNT] = [3, 741]
/** Numbers that only queries over the foreign rows have. */
const LEAKED = [FOREIGN_COUNT, OWN_COUNT + FOREIGN_COUNT]

const sql = (query: string) => ({
  kind: 'DataVisualizationNode',
  source: { kind: 'HogQLQuery', query, variables: { a: { code_name: 'who', value: 'x' } } },
})
const insight = (source: object) => ({ kind: 'InsightVizNode', source })
const VISIT = { kind: 'EventsNode', event: 'visit' }
const WEEK = { dateRange: { date_from: '-7d' } }

/** A session of posthog-js. */
const SESSION = '01890000-0000-7000-8000-000000000001'

const TILES = {
  Visits: visits(),
  Notes: visits({
    trendsFilter: { display: 'ActionsTable' },
    breakdownFilter: { breakdown: 'note', breakdown_type: 'event' },
  }),
  Funnel: insight({
    ...{ kind: 'FunnelsQuery', series: [VISIT, VISIT], ...WEEK },
    breakdownFilter: { breakdown: 'note', breakdown_type: 'event' },
  }),
  Retention: insight({
    kind: 'RetentionQuery',
    retentionFilter: { targetEntity: { id: 'visit', type: 'events' } },
  }),
  Lifecycle: insight({ kind: 'LifecycleQuery', series: [VISIT], ...WEEK }),
  Stickiness: insight({ kind: 'StickinessQuery', series: [VISIT], ...WEEK }),
  Paths: insight({
    ...{ kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'] } },
    dateRange: { date_from: '-7d' },
  }),
  Overview: insight({ kind: 'WebOverviewQuery', ...WEEK }),
  Entries: insight({ kind: 'WebStatsTableQuery', breakdownBy: 'InitialPage', ...WEEK }),
  Goals: insight({ kind: 'WebGoalsQuery', ...WEEK }),
  Sessions: visits({
    trendsFilter: { display: 'ActionsTable' },
    breakdownFilter: { breakdown: '$entry_pathname', breakdown_type: 'session' },
  }),
  Own: visits({ properties: { type: 'OR', values: [{ type: 'AND', values: [] }] } }),
  Table: sql(
    "select {variables.who}, properties.note, count() from events where {filters} and event = 'visit' group by properties.note",
  ),
  Total: sql('select count() from events'),
  Loose: sql(
    'select properties.note, count() from events where {filters} or 1 = 1 group by properties.note',
  ),
}

/** One visit of somebody who begins at the other tenant. */
const PAGES = [FOREIGN, OWN, OWN].map((of, n) => ({
  ...{ event: '$pageview', person: 'ann', at: daysAgo(1 - n / 1000) },
  properties: { ...of, $session_id: SESSION, $pathname: `/${of.note}-${n}` },
}))

/** Starts a server, because its throttles count the wrong tokens that these tests send. */
async function start() {
  const api = await startApp()
  await addVisits(api, OWN_COUNT, { properties: OWN })
  await addVisits(api, FOREIGN_COUNT, { properties: FOREIGN })
  await api.services.events.append(api.projectId, PAGES.map(toEvent))
  const secret = await createEmbedSecret(api)
  const tiles = Object.entries(TILES).map(([name, query]) => ({ insight: { name, query } }))
  const { id } = await createDashboard(api, { name: 'Visits', tiles })
  const lock = { properties: [{ key: 'tenant', value: 'acme' }] }
  return { api, secret, id, claims: { dashboard: id, filters: lock } }
}

const open = (api: TestApp, token: string, rest = '') =>
  api.withKey(undefined).get(`/embedded/${token}${rest}`)

/** Reads the results of the tiles by their names, once they are computed. */
async function readResults(api: TestApp, token: string, search = '') {
  return until(async () => {
    const { body } = await open(api, token, `.json${search}`)
    const insights = body.dashboard.tiles.map((tile: { insight: object }) => tile.insight)
    return (
      !insights.some((each: { is_computing: boolean }) => each.is_computing) &&
      Object.fromEntries(
        insights.map(({ name, result }: { name: string; result: unknown }) => [name, result]),
      )
    )
  })
}

/** Tells whether a text has a number among others, and not as a part of one. */
const hasNumber = (text: string, number: number): boolean =>
  new RegExp(`(?<![\\d.])${number}(?![\\d.])`).test(text)

function requireOwnRows(text: string): void {
  expect(text).not.toContain(FOREIGN.note)
  const data = text.replaceAll(
    /<svg.*?<\/svg>|"(?:id|created_at|last_refresh)":[^,]*|<style.*?<\/style>/gs,
    '',
  )
  for (const number of LEAKED) {
    if (hasNumber(data, number)) throw new Error(`${number} in ${data}`)
  }
}

describe('the locked filters of an embed', () => {
  it('apply to every tile, on the page and in its files', { tags: 'sql' }, async () => {
    const { api, secret, claims } = await start()
    const token = signEmbed(secret, claims)

    const results = await readResults(api, token)
    const [page, csv] = [await open(api, token), await open(api, token, '.csv')]

    expect(results.Visits[0].aggregated_value).toBe(OWN_COUNT)
    expect(results.Table).toEqual([['x', 'own-note', OWN_COUNT]])
    expect(results.Own[0].aggregated_value).toBe(OWN_COUNT)
    for (const name of ['Funnel', 'Retention', 'Lifecycle', 'Stickiness', 'Paths']) {
      expect([name, results[name]?.length > 0]).toEqual([name, true])
    }
    for (const { text } of [page, csv]) {
      expect(text).toContain('own-note')
      requireOwnRows(text)
    }
    requireOwnRows(JSON.stringify(results))
  })

  it('refuse by name a tile that cannot obey them', async () => {
    const { api, secret, claims } = await start()
    const token = signEmbed(secret, claims)

    const results = await readResults(api, token)
    const { text } = await open(api, token)
    const csv = await open(api, token, '.csv')

    const refused = ['Total', 'Loose', 'Overview', 'Entries', 'Goals', 'Sessions']
    for (const name of refused) {
      expect([name, results[name]]).toEqual([name, null])
      const section = text.match(
        new RegExp(`<section[^>]*>\\s*<h2[^>]*><span title="${name}".*?</section>`, 's'),
      )
      expect(section?.[0]).toContain('its query cannot be limited to the data of this page')
      expect(csv.text).not.toContain(name)
    }
  })

  it('include dates, which viewers can only shorten', async () => {
    const { api, secret, id } = await start()
    await addVisits(api, 5, { days: 4, properties: OWN })
    const day = (days: number) => daysAgo(days).slice(0, 10)
    const filters = { properties: [{ key: 'tenant', value: 'acme' }], date_from: day(2) }
    const viewer_filters = { dates: true }
    const token = signEmbed(secret, { dashboard: id, filters, viewer_filters })

    const locked = await readResults(api, token)
    const longer = await readResults(api, token, `?date_from=${day(6)}`)
    const before = await readResults(api, token, `?date_to=${day(4)}`)
    const all = await readResults(api, signEmbed(secret, { dashboard: id, viewer_filters }))

    expect([locked, longer].map(({ Visits }) => Visits[0].aggregated_value)).toEqual([3, 3])
    expect([before.Visits, before.Table, locked.Retention]).toEqual([null, null, null])
    expect(all.Visits[0].aggregated_value).toBe(OWN_COUNT + FOREIGN_COUNT + 5)
    expect(JSON.stringify([all.Entries, all.Sessions])).toContain(FOREIGN.note)
  })

  it('are narrowed by what viewers can change', async () => {
    const { api, secret, claims } = await start()
    const viewer_filters = { properties: [{ key: 'tenant' }, { key: 'note' }] }
    const token = signEmbed(secret, { ...claims, viewer_filters })

    const own = await readResults(api, token, '?property.note=own-note')
    const foreign = await readResults(api, token, '?property.tenant=globex')

    expect(own.Table).toEqual([['x', 'own-note', OWN_COUNT]])
    expect(foreign.Table).toEqual([])
    expect(foreign.Visits[0].aggregated_value).toBe(0)
    expect((await open(api, token)).text).toContain('name="property.note"')
  })

  it('keep apart what is cached for several tenants, links and members', async () => {
    const { api, secret, id, claims } = await start()
    const tokenOf = (tenant: string) =>
      signEmbed(secret, { ...claims, filters: { properties: [{ key: 'tenant', value: tenant }] } })
    const { body } = await api.post(`dashboards/${id}/sharing/links`, {})
    const counts = async () => {
      const own = await readResults(api, tokenOf('acme'))
      const foreign = await readResults(api, tokenOf('globex'))
      const file = async (tenant: string) => (await open(api, tokenOf(tenant), '.csv')).text
      const files = await Promise.all([file('acme'), file('globex')])
      const link = await until(async () => {
        const shared = (await api.get(`/shared/${body.access_token}.json`)).body
        return shared.dashboard.tiles[0].insight.result?.[0].aggregated_value
      })
      const member = (await api.get(`dashboards/${id}?refresh=blocking`)).body
      return [
        own.Visits[0].aggregated_value,
        foreign.Visits[0].aggregated_value,
        ...files.map((text) => text.match(/note/g)?.length),
        ...files.map((text) => [text.includes('own-note'), text.includes('foreign-note')]),
        link,
        member.tiles[0].insight.result[0].aggregated_value,
      ]
    }

    const [first, again] = [await counts(), await counts()]

    const all = OWN_COUNT + FOREIGN_COUNT
    expect(first.slice(0, 2)).toEqual([OWN_COUNT, FOREIGN_COUNT])
    expect(first.slice(4)).toEqual([[true, false], [false, true], all, all])
    expect(again).toEqual(first)
  })

  it("draws the pictures of the tenant's own data", async () => {
    const { api, secret, claims } = await start()
    const other = await api.createProject()
    await addVisits(api, OWN_COUNT, { properties: OWN, project: other })
    const tiles = ['Visits', 'Notes', 'Table'] as const
    const create = async (projectId: number) => {
      const path = api.path('dashboards', projectId)
      const shown = tiles.map((name) => ({ insight: { name, query: TILES[name] } }))
      return (await api.post(path, { name: 'Pictures', tiles: shown })).body.id
    }
    const own = (await api.post(api.path('embed_secrets', other))).body as EmbedSecret
    const locked = signEmbed(secret, { ...claims, dashboard: await create(api.projectId) })
    const plain = signEmbed(own, { dashboard: await create(other) })

    for (const format of ['.png', '.pdf']) {
      const pair = async () => {
        const [one, two] = [await read(api, locked + format), await read(api, plain + format)]
        return one === two
      }
      // the time on it may change between two pictures
      expect([format, (await pair()) || (await pair())]).toEqual([format, true])
    }
  })

  it('leak no foreign row, whatever a viewer sends', { timeout: 180_000 }, async () => {
    const { api, secret, claims } = await start()
    const viewer_filters = {
      dates: true,
      properties: [{ key: 'tenant' }, { key: 'note', values: ['own-note'] }],
      variables: [{ code_name: 'who', values: ['x', 'y'] }],
    }
    const tokens = [signEmbed(secret, claims), signEmbed(secret, { ...claims, viewer_filters })]
    for (const token of tokens) await readResults(api, token)

    await fc.assert(
      fc.asyncProperty(attack, async ({ which, tamper, format, search, method, body }) => {
        const token = tamper(tokens[which] as string)
        const path = `/embedded/${token}${format}?${new URLSearchParams(search)}`
        const { status, text } = await api.withKey(undefined).request(method, path, body)
        expect(status).toBeLessThan(500)
        if (token !== tokens[which]) expect(status).toBeGreaterThanOrEqual(400)
        requireOwnRows(text)
      }),
      numRuns(1000),
    )
  })
})

/** Reads a picture: of a PDF, everything that is drawn, because the rest names its time. */
async function read(api: TestApp, file: string): Promise<string> {
  const response = await fetch(`${api.url}/embedded/${file}`)
  expect(response.status).toBe(200)
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  if (!text.startsWith('%PDF')) return text
  const streams = [...text.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n([\s\S]*?)\nendstream/g)]
  expect(streams.length).toBeGreaterThan(0)
  return streams.map(([, data = '']) => inflateSync(Buffer.from(data, 'latin1'))).join()
}

const HOSTILE_FILTERS = [
  { properties: [{ key: 'tenant', value: 'globex' }] },
  { properties: [] },
  { properties: { type: 'OR', values: [{ key: 'tenant', operator: 'is_set' }] } },
  { properties: [{ key: 'tenant', operator: 'is_not', value: 'acme' }], date_from: 'all' },
]
const HOSTILE_CLAIMS = [
  { filters: HOSTILE_FILTERS[0] },
  { filters: undefined },
  { filters: HOSTILE_FILTERS[2] },
  { exp: inSeconds(3600) },
  { viewer_filters: { dates: true, properties: [{ key: 'tenant' }] } },
]

const values = fc.constantFrom(
  ...['acme', 'globex', '', "acme' or 1=1 --", 'own-note', '2026-01-01', '-7d', 'all', 'open', 'x'],
  ...HOSTILE_FILTERS.map((filters) => JSON.stringify(filters)),
  JSON.stringify({ tile: 1, properties: [{ key: 'tenant', value: 'globex' }] }),
  JSON.stringify({ a: { code_name: 'who', value: '1 or 1=1' } }),
)
const names = fc.constantFrom(
  ...['property.tenant', 'property.note', 'property.email', 'property.__proto__'],
  ...['date_from', 'date_to', 'filters_override', 'variables_override', 'value_filter'],
  ...['sections_override', 'variable.who', 'variable.a', 'theme', 'noHeader', 'scheme'],
  ...['refresh', 'filters', 'properties', 'tenant', 'dashboard', 'insight', 'token', 'limit'],
)

/** Changes a token as someone could who has no secret. */
const toTampered = (change: object, part: 'claims' | 'header') => (token: string) => {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const rewrite = (text: string) => {
    const parsed = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Buffer.from(JSON.stringify({ ...parsed, ...change })).toString('base64url')
  }
  return part === 'claims'
    ? `${head}.${rewrite(claims)}.${signature}`
    : `${rewrite(head)}.${claims}.${change && 'alg' in change && change.alg === 'none' ? '' : signature}`
}

const attack = fc.record({
  which: fc.constantFrom(0, 1),
  // the server throttles networks that send more wrong tokens than these
  tamper: fc.oneof(
    { weight: 6, arbitrary: fc.constant((token: string) => token) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom(...HOSTILE_CLAIMS).map((claims) => toTampered(claims, 'claims')),
        fc
          .constantFrom({ alg: 'none' }, { alg: 'RS256' }, { kid: 'other' }, { alg: 'HS384' })
          .map((header) => toTampered(header, 'header')),
      ),
    },
  ),
  format: fc.constantFrom('', '', '.json', '.json', '.csv', '/state', '.xlsx', '.json/..'),
  search: fc.array(fc.tuple(names, values), { maxLength: 4 }),
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE'),
  body: fc.constant(undefined),
})
