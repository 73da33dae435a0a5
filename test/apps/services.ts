import { importSheet } from '../../apps/google-sheets/import.ts'
import { importNewDays } from '../../apps/plausible/import.ts'
import { importFeed } from '../../apps/rss/import.ts'
import { importFiles } from '../../apps/s3/import.ts'
import type { App } from '../../apps/shared/app.ts'
import type { FakeResponse } from './fake-app.ts'
import { FakeS3, S3_KEYS } from './fake-s3.ts'

/** A fake of a service, built from its public documentation. */
export interface Service {
  /** The folder of its app. */
  readonly folder: string
  readonly config: Readonly<Record<string, unknown>>
  /** Responds to a request with a valid key. Undefined is a 404. */
  respond(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): FakeResponse | undefined
  /** The response to an expired key, or to what does not exist if there is no key. */
  readonly refused: FakeResponse
  /** The expected value of the header with the key, if there is one. */
  readonly key?: string
  /** Absent: authorization. */
  readonly keyHeader?: string
  /** The number of events by name. */
  readonly events: Readonly<Record<string, number>>
  /** The first event, in part. */
  readonly first: object
  /** Absent: the app has a `connector.yaml`. */
  readonly run?: (app: App) => Promise<void>
}

const json = (body: unknown, more: Partial<FakeResponse> = {}): FakeResponse => ({
  body: JSON.stringify(body),
  ...more,
})

const list = <T>(count: number, toItem: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => toItem(index + 1))

/** Responds like a strict server: to a parameter that the documentation does not have, by 400. */
const only = (url: URL, names: readonly string[], respond: () => FakeResponse): FakeResponse => {
  const unknown = [...url.searchParams.keys()].find((name) => !names.includes(name))
  return unknown ? json({ error: `unknown parameter ${unknown}` }, { status: 400 }) : respond()
}

/** Lists of Stripe go from new to old, in pages that begin after an ID. */
function stripe(url: URL): FakeResponse | undefined {
  const made = 1_735_689_600
  const object = (prefix: string) => (n: number) => ({
    id: `${prefix}_${n}`,
    created: made - n * 60,
    amount: 100 * n,
    amount_paid: 100 * n,
    currency: 'eur',
    status: 'succeeded',
    customer: n === 2 ? null : `cus_${n}`,
    charge: `ch_${n}`,
    billing_details: { email: 'guest@example.com' },
  })
  const lists: Readonly<Record<string, ReturnType<ReturnType<typeof object>>[]>> = {
    '/v1/charges': list(5, object('ch')),
    '/v1/refunds': list(1, object('re')),
    '/v1/invoices': list(3, object('in')),
    '/v1/customers': list(2, object('cus')),
    '/v1/subscriptions': list(2, object('sub')),
  }
  const all = lists[url.pathname]
  if (!all) return undefined
  const { searchParams } = url
  const parameters = ['limit', 'starting_after', 'created[gte]', 'created[lt]']
  if (url.pathname.endsWith('subscriptions')) parameters.push('status')
  return only(url, parameters, () => {
    const since = Number(searchParams.get('created[gte]') ?? 0)
    const until = Number(searchParams.get('created[lt]') ?? Number.POSITIVE_INFINITY)
    const wanted = all.filter(({ created }) => created >= since && created < until)
    const after = searchParams.get('starting_after')
    const from = after === null ? 0 : wanted.findIndex(({ id }) => id === after) + 1
    // two in a page, as if the limit were small
    const data = wanted.slice(from, from + 2)
    return json({ object: 'list', data, has_more: from + 2 < wanted.length, url: url.pathname })
  })
}

/** Lists of GitHub have the next page in the header Link. */
function github(url: URL, headers: Readonly<Record<string, string>>): FakeResponse | undefined {
  const user = (n: number) => ({ login: `user${n}`, id: n, type: 'User' })
  const date = (n: number) => `2025-01-0${n}T10:00:00Z`
  const hasTimes = headers.accept === 'application/vnd.github.star+json'
  const lists: Readonly<Record<string, readonly [unknown[], ...string[]]>> = {
    stargazers: [list(3, (n) => (hasTimes ? { starred_at: date(n), user: user(n) } : user(n)))],
    issues: [
      list(4, (n) => ({
        id: n,
        number: n,
        title: `Issue ${n}`,
        state: n === 1 ? 'closed' : 'open',
        user: user(n),
        created_at: date(n),
        updated_at: date(n + 1),
        ...(n === 4 && { pull_request: { html_url: 'https://github.com/o/r/pull/4' } }),
      })),
      ...['state', 'sort', 'direction', 'since'],
    ],
    commits: [
      list(3, (n) => ({
        sha: `abc${n}`,
        author: n === 2 ? null : user(n),
        commit: {
          message: `Change ${n}`,
          author: { email: `dev${n}@example.com`, date: date(n) },
          committer: { date: date(n) },
        },
      })),
      ...['since', 'until'],
    ],
    releases: [
      list(1, (n) => ({ id: n, tag_name: `v${n}`, created_at: date(n), author: user(1) })),
    ],
  }
  return toLinkedPage(url, lists[url.pathname.replace('/repos/acme/tool/', '')])
}

/** Responds with two items of a list, and with a link to the next. */
function toLinkedPage(
  url: URL,
  [all, ...parameters]: readonly [unknown[]?, ...string[]] = [],
): FakeResponse | undefined {
  if (!all) return undefined
  return only(url, [...parameters, 'per_page', 'page'], () => {
    const page = Number(url.searchParams.get('page') ?? 1)
    const next = new URL(url)
    next.searchParams.set('page', `${page + 1}`)
    const isLast = page * 2 >= all.length
    const link = isLast ? '' : `<${next.href}>; rel="next"`
    return json(all.slice(page * 2 - 2, page * 2), { headers: { link } })
  })
}

/** Search results of Hacker News are in numbered pages, of which one past the end is empty. */
function hackerNews(url: URL): FakeResponse | undefined {
  if (url.pathname !== '/api/v1/search_by_date') return undefined
  return only(url, ['tags', 'query', 'hitsPerPage', 'page'], () => {
    const tag = url.searchParams.get('tags')
    const all = list(tag === 'story' ? 3 : 4, (n) => ({
      objectID: `${tag}${n}`,
      author: `user${n}`,
      created_at: `2025-01-0${n}T10:00:00Z`,
      title: tag === 'story' ? `About hedgerows ${n}` : null,
      points: 10 * n,
      num_comments: n,
      story_title: 'About hedgerows',
    }))
    const page = Number(url.searchParams.get('page'))
    const hits = all.slice(page * 2, page * 2 + 2)
    return json({ hits, page, nbHits: all.length, nbPages: 2, query: 'hedgerow' })
  })
}

function npmDownloads(url: URL): FakeResponse | undefined {
  if (url.pathname !== '/downloads/range/last-year/@acme/tool') return undefined
  const downloads = list(3, (n) => ({ day: `2025-01-0${n}`, downloads: 10 * n }))
  return json({ start: '2025-01-01', end: '2025-01-03', package: '@acme/tool', downloads })
}

/** A shared sheet of Google Sheets. */
function googleSheets(url: URL): FakeResponse | undefined {
  if (!url.pathname.endsWith('/d/sheet-1/export')) return undefined
  return only(url, ['format', 'gid'], () => ({
    headers: { 'content-type': 'text/csv' },
    body: 'email,date,amount\na@example.com,2025-01-01,5\nb@example.com,2025-01-02,6\nb@example.com,2025-01-02,6\n',
  }))
}

/** Lists of GitLab are like those of GitHub, with other parameters. */
function gitlab(url: URL): FakeResponse | undefined {
  const at = (n: number) => `2025-01-0${n}T10:00:00.000Z`
  const ticket = (n: number) => ({
    id: 100 + n,
    iid: n,
    title: `Title ${n}`,
    state: 'opened',
    author: { username: `user${n}` },
    created_at: at(n),
    updated_at: at(n + 1),
  })
  const commit = (n: number) => ({
    id: `abc${n}`,
    title: `Change ${n}`,
    author_email: `dev${n}@example.com`,
    authored_date: at(n),
    committed_date: at(n),
  })
  const updated = ['scope', 'order_by', 'sort', 'updated_after', 'updated_before']
  const lists: Readonly<Record<string, readonly [unknown[], ...string[]]>> = {
    issues: [list(3, ticket), ...updated],
    merge_requests: [list(2, ticket), ...updated, 'state'],
    'repository/commits': [list(3, commit), 'since', 'until'],
    releases: [list(1, (n) => ({ tag_name: `v${n}`, created_at: at(n), author: null }))],
  }
  return toLinkedPage(url, lists[url.pathname.replace('/api/v4/projects/acme%2Ftool/', '')])
}

/** Objects of HubSpot are in pages that begin after a cursor. */
function hubspot(url: URL): FakeResponse | undefined {
  const kinds: Readonly<Record<string, object>> = {
    contacts: { email: 'ada@example.com', lifecyclestage: 'lead' },
    companies: { domain: 'example.com', name: 'Example' },
    deals: { dealname: 'Deal', amount: '120.5' },
  }
  const properties = kinds[url.pathname.replace('/crm/v3/objects/', '')]
  if (!properties) return undefined
  return only(url, ['limit', 'after', 'properties', 'archived'], () => {
    const n = Number(url.searchParams.get('after') ?? 1)
    const results = [
      { id: `${n}`, createdAt: `2025-01-0${n}T10:00:00Z`, archived: false, properties },
    ]
    return json({ results, ...(n < 3 && { paging: { next: { after: `${n + 1}` } } }) })
  })
}

/** Lists of Zendesk link to the next page, also from the last. */
function zendesk(url: URL): FakeResponse | undefined {
  const name = url.pathname.replace('/api/v2/', '').replace('.json', '')
  const kinds: Readonly<Record<string, object>> = {
    tickets: { requester_id: 7, subject: 'Help', status: 'open', priority: 'high' },
    users: { name: 'Ada', role: 'end-user' },
    satisfaction_ratings: { requester_id: 7, score: 'good', ticket_id: 1 },
  }
  const fields = kinds[name]
  if (!fields) return undefined
  return only(url, ['page[size]', 'page[after]', 'sort'], () => {
    const n = Number(url.searchParams.get('page[after]') ?? 1)
    const next = new URL(url)
    next.searchParams.set('page[after]', `${n + 1}`)
    const record = { id: n, created_at: `2025-01-0${n}T10:00:00Z`, ...fields }
    return json({ [name]: [record], meta: { has_more: n < 2 }, links: { next: next.href } })
  })
}

/** Records of Airtable are in pages with an offset, which the last has not. */
function airtable(url: URL): FakeResponse | undefined {
  if (url.pathname !== '/v0/app1/Sign%20ups') return undefined
  return only(url, ['pageSize', 'offset', 'view', 'filterByFormula'], () => {
    const n = Number(url.searchParams.get('offset')?.split('/')[1] ?? 1)
    const fields = n === 2 ? { Name: 'Nobody' } : { Email: `p${n}@example.com`, Name: 'Ada' }
    const records = [{ id: `rec${n}`, createdTime: `2025-01-0${n}T10:00:00.000Z`, fields }]
    return json({ records, ...(n < 3 && { offset: `itr/${n + 1}` }) })
  })
}

/** A feed of RSS 2.0. */
const rss = (url: URL): FakeResponse | undefined =>
  only(url, [], () => ({
    headers: { 'content-type': 'application/rss+xml' },
    body: `<rss version="2.0"><channel><title>Hedges</title>${list(
      3,
      (n) =>
        `<item><guid>post-${n}</guid><title>Post ${n}</title><author>user${n}</author><pubDate>Wed, 0${n} Jan 2025 10:00:00 GMT</pubDate></item>`,
    ).join('')}</channel></rss>`,
  }))

/** Answers the queries of Plausible's statistics by day. */
function plausible(url: URL, _headers: object, body: string): FakeResponse | undefined {
  if (url.pathname !== '/api/v2/query') return undefined
  const { site_id, metrics, dimensions, date_range, order_by, pagination, ...others } =
    JSON.parse(body)
  const known = ['time:day', 'event:page', 'visit:source', 'visit:country_name']
  const isStrange =
    dimensions.some((one: string) => !known.includes(one)) || Object.keys(others).length > 0
  if (site_id !== 'example.com' || isStrange || order_by.length !== dimensions.length) {
    return json({ error: 'invalid query' }, { status: 400 })
  }
  const value: Readonly<Record<string, string>> = {
    'event:page': '/pricing',
    'visit:source': 'Google',
    'visit:country_name': 'Estonia',
  }
  const results = list(2, (n) => ({
    dimensions: [date_range[n - 1], ...dimensions.slice(1).map((one: string) => value[one])],
    metrics: metrics.map((_: string, index: number) => 10 * n + index),
  }))
  return json({ results: results.slice(pagination.offset), meta: {}, query: {} })
}

const storage = new FakeS3('exports')
storage.put(
  '2025/a.csv',
  'email,at,plan\na@example.com,2025-01-01,pro\nb@example.com,2025-01-02,free\n',
)
storage.put('2025/b.jsonl', '{"email": "c@example.com", "at": "2025-01-03"}\n')
storage.put('2025/c.jsonl', '{"email": "d@example.com", "at": "2025-01-04"}\n')

export const SERVICES: readonly Service[] = [
  {
    folder: 'stripe',
    config: { key: 'rk_test_123' },
    key: 'Bearer rk_test_123',
    respond: stripe,
    refused: json(
      { error: { type: 'invalid_request_error', message: 'Expired API Key provided' } },
      { status: 401 },
    ),
    events: {
      stripe_charge: 5,
      stripe_refund: 1,
      stripe_invoice: 3,
      stripe_customer: 2,
      stripe_subscription: 2,
    },
    first: {
      event: 'stripe_charge',
      distinct_id: 'cus_1',
      timestamp: '2024-12-31T23:59:00.000Z',
      properties: { id: 'ch_1', amount: 100, currency: 'eur', status: 'succeeded' },
    },
  },
  {
    folder: 'github',
    config: { repository: 'acme/tool', token: 'github_pat_1' },
    key: 'Bearer github_pat_1',
    respond: github,
    refused: json({ message: 'Bad credentials', status: '401' }, { status: 401 }),
    events: { github_star: 3, github_issue: 4, github_commit: 3, github_release: 1 },
    first: { event: 'github_star', distinct_id: 'user1', timestamp: '2025-01-01T10:00:00.000Z' },
  },
  {
    folder: 'google-sheets',
    config: {
      url: 'https://docs.google.com/spreadsheets/d/sheet-1/edit?usp=sharing#gid=7',
      event: 'sheet row',
      distinct_id_column: 'email',
      timestamp_column: 'date',
    },
    respond: googleSheets,
    refused: { status: 404, body: 'Sorry, the file you have requested does not exist.' },
    events: { 'sheet row': 3 },
    first: { event: 'sheet row', distinct_id: 'a@example.com', properties: { amount: 5 } },
    run: importSheet,
  },
  {
    folder: 'hacker-news',
    config: { word: 'hedgerow' },
    respond: hackerNews,
    refused: { status: 403, body: 'blocked' },
    events: { hacker_news_story: 3, hacker_news_comment: 4 },
    first: { event: 'hacker_news_story', distinct_id: 'user1', properties: { points: 10 } },
  },
  {
    folder: 'npm-downloads',
    config: { package: '@acme/tool' },
    respond: npmDownloads,
    refused: json({ error: 'package @acme/tool not found' }, { status: 404 }),
    events: { npm_downloads: 3 },
    first: {
      event: 'npm_downloads',
      distinct_id: '@acme/tool',
      timestamp: '2025-01-01T00:00:00.000Z',
      properties: { package: '@acme/tool', downloads: 10 },
    },
  },
  {
    folder: 'gitlab',
    config: { url: 'https://gitlab.com', project: 'acme/tool', token: 'glpat-1' },
    key: 'glpat-1',
    keyHeader: 'private-token',
    respond: gitlab,
    refused: json({ error: 'invalid_token', error_description: 'Expired' }, { status: 401 }),
    events: { gitlab_issue: 3, gitlab_merge_request: 2, gitlab_commit: 3, gitlab_release: 1 },
    first: { event: 'gitlab_issue', distinct_id: 'user1', properties: { iid: 1 } },
  },
  {
    folder: 'hubspot',
    config: { token: 'pat-eu1-1' },
    key: 'Bearer pat-eu1-1',
    respond: hubspot,
    refused: json({ status: 'error', category: 'EXPIRED_AUTHENTICATION' }, { status: 401 }),
    events: { hubspot_contact: 3, hubspot_company: 3, hubspot_deal: 3 },
    first: {
      event: 'hubspot_contact',
      distinct_id: 'ada@example.com',
      properties: { id: '1', 'properties.lifecyclestage': 'lead' },
    },
  },
  {
    folder: 'zendesk',
    config: { subdomain: 'acme', user: 'ada@example.com/token', token: 'key' },
    key: `Basic ${btoa('ada@example.com/token:key')}`,
    respond: zendesk,
    refused: json({ error: "Couldn't authenticate you" }, { status: 401 }),
    events: { zendesk_ticket: 2, zendesk_user: 2, zendesk_rating: 2 },
    first: { event: 'zendesk_ticket', distinct_id: '7', properties: { subject: 'Help' } },
  },
  {
    folder: 'airtable',
    config: {
      ...{ token: 'pat1', base: 'app1', table: 'Sign ups' },
      ...{ event: 'airtable record', person: 'Email' },
    },
    key: 'Bearer pat1',
    respond: airtable,
    refused: json({ error: { type: 'AUTHENTICATION_REQUIRED' } }, { status: 401 }),
    events: { 'airtable record': 3 },
    first: {
      distinct_id: 'p1@example.com',
      timestamp: '2025-01-01T10:00:00.000Z',
      properties: { fields: { Name: 'Ada' } },
    },
  },
  {
    folder: 'rss',
    config: { url: 'https://example.com/feed.xml' },
    respond: rss,
    refused: { status: 404, body: 'no such feed' },
    events: { 'feed entry': 3 },
    first: {
      distinct_id: 'user1',
      timestamp: '2025-01-01T10:00:00.000Z',
      properties: { title: 'Post 1', feed: 'Hedges' },
    },
    run: importFeed,
  },
  {
    folder: 'plausible',
    config: { site: 'example.com', key: 'key' },
    key: 'Bearer key',
    respond: plausible,
    refused: json({ error: 'Invalid API key or site ID.' }, { status: 401 }),
    events: { plausible_day: 2, plausible_page: 2, plausible_source: 2, plausible_country: 2 },
    first: {
      event: 'plausible_day',
      distinct_id: 'example.com',
      properties: { visitors: 10, visits: 11, pageviews: 12 },
    },
    run: importNewDays,
  },
  {
    folder: 's3',
    config: {
      ...{ ...S3_KEYS, endpoint: 'https://minio.example.com', bucket: 'exports' },
      ...{ prefix: '2025/', event: 'file row' },
      ...{ distinct_id_field: 'email', timestamp_field: 'at' },
    },
    respond: (url, headers) => storage.respond(url, headers),
    refused: {
      status: 403,
      body: '<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>',
    },
    events: { 'file row': 4 },
    first: { distinct_id: 'a@example.com', properties: { plan: 'pro' } },
    run: importFiles,
  },
]
