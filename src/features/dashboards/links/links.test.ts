import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import {
  createDashboard,
  insightTile,
  pathOf,
  textTile,
} from '../../../../test/support/data/dashboards.ts'

const PASSWORD = 'correct horse'
const [PAST, LATER] = ['2020-01-01T00:00:00.000Z', '2120-01-01T00:00:00.000Z']

async function start(links: readonly object[] = []) {
  const api = await useApp()
  const { id } = await createDashboard(api, {
    name: 'Sales',
    tiles: [insightTile('Visits'), textTile('# Hello', 6)],
  })
  const path = pathOf(id, '/sharing/links')
  const added = []
  for (const link of links) {
    const { status, body } = await api.post(path, link)
    expect(status).toBe(201)
    added.push(body)
  }
  return { api, id, path, added, visitor: api.withKey(undefined) }
}

const pageOf = ({ access_token }: { readonly access_token: string }) => `/shared/${access_token}`
const passwordOf = (link: { readonly access_token: string }) => `${pageOf(link)}/password`
const dataOf = (link: { readonly access_token: string }) => `${pageOf(link)}.json`

/** The cookies that a response sets, as a browser sends them back. */
const cookiesOf = ({ headers }: { readonly headers: Headers }) => ({
  cookie: headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; '),
})

const setExpiry = ({ db }: TestApp, expires_at: string) =>
  db.updateTable('share_links').set({ expires_at }).where('is_first', '=', 0).execute()

describe('public links', () => {
  it('are listed with the first one, which is off until it is turned on', async () => {
    const { api, id, path, added } = await start([{ label: 'Investors' }])
    const [, investors] = (await api.get(path)).body.results
    const { body: sharing } = await api.get(pathOf(id, '/sharing'))

    const [first] = (await api.get(path)).body.results
    expect(first).toMatchObject({
      is_first: true,
      enabled: false,
      access_token: sharing.access_token,
      created_by: null,
    })
    expect(investors).toEqual(added[0])
    expect(investors).toEqual({
      id: expect.any(Number),
      label: 'Investors',
      access_token: expect.stringMatching(/^[\w-]{30}$/),
      is_first: false,
      enabled: true,
      state: 'open',
      audience: 'anyone',
      starts_at: null,
      expires_at: null,
      ends_at: null,
      max_views: null,
      shows_annotations: true,
      allows_exports: true,
      embed_origins: null,
      viewer_filters: null,
      snapshot_at: null,
      views: 0,
      last_viewed_at: null,
      created_by: expect.objectContaining({ uuid: expect.any(String) }),
      created_at: expect.stringMatching(/Z$/),
    })
  })

  it('say whether they open, which is no view', async () => {
    const { api, path, added, visitor } = await start([{}, { password: PASSWORD }, {}])
    const [open, locked, ended] = added
    await api.patch(`${path}/${ended.id}`, { expires_at: PAST })

    const responses = await Promise.all(
      [open, locked, ended, { access_token: 'x'.repeat(30) }].map((link) =>
        visitor.get(`${pageOf(link)}/state`),
      ),
    )

    expect(responses.map(({ status }) => status)).toEqual([204, 401, 410, 404])
    expect(responses[0]?.headers.get('cache-control')).toBe('no-store')
    expect((await api.get(`${path}/${open.id}`)).body.views).toBe(0)
  })

  it('open independently of each other and of the first', async () => {
    const { api, path, added, visitor } = await start([{ label: 'a' }, { label: 'b' }])
    const [first, a, b] = (await api.get(path)).body.results
    expect(added.map(({ id }) => id)).toEqual([a.id, b.id])

    expect((await api.delete(`${path}/${a.id}`)).status).toBe(204)

    const statuses = await Promise.all(
      [first, a, b].map(async (link) => (await visitor.get(dataOf(link))).status),
    )
    expect(statuses).toEqual([404, 404, 200])
    expect((await api.get(`${path}/${a.id}`)).status).toBe(404)
  })

  it('keep the responses of the first link as they were', async () => {
    const { api, id, path, visitor } = await start()
    const { body: on } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
    const [first] = (await api.get(path)).body.results

    await api.patch(`${path}/${first.id}`, { label: 'All', password: PASSWORD })

    expect(Object.keys(on)).toEqual(['created_at', 'enabled', 'access_token'])
    expect((await api.get(pathOf(id, '/sharing'))).body).toEqual(on)
    expect((await visitor.get(dataOf(on))).status).toBe(401)
  })

  it('turn the first one off when it is revoked, with a new address', async () => {
    const { api, id, path, visitor } = await start()
    const { body: on } = await api.patch(pathOf(id, '/sharing'), { enabled: true })
    const [first] = (await api.get(path)).body.results

    await api.delete(`${path}/${first.id}`)
    const { body: off } = await api.get(pathOf(id, '/sharing'))
    await api.patch(pathOf(id, '/sharing'), { enabled: true })

    expect(off).toMatchObject({ enabled: false })
    expect(off.access_token).not.toBe(on.access_token)
    expect((await visitor.get(dataOf(on))).status).toBe(404)
    expect((await visitor.get(dataOf(off))).status).toBe(200)
  })

  it.each([
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ starts_at: LATER, expires_at: PAST }, 'expires_at'],
    [{ max_views: 0 }, 'max_views'],
    [{ password: 'short' }, 'password'],
    [{ embed_origins: ['https://a.example/path'] }, 'embed_origins__0'],
    [{ embed_origins: ['https://a.example', 'javascript:alert(1)'] }, 'embed_origins__1'],
    [{ embed_origins: ["https://a.example; script-src 'unsafe-inline'"] }, 'embed_origins__0'],
    [{ label: 'x'.repeat(201) }, 'label'],
  ])('refuse %j', async (body, attr) => {
    const { api, path } = await start()

    const response = await api.post(path, body)

    expect([response.status, response.body.attr]).toEqual([400, attr])
    expect((await api.get(path)).body.results).toHaveLength(1)
  })

  it('are changed by those who may edit the dashboard only', async () => {
    const { api, id, path, added } = await start([{ label: 'a' }])
    const reader = await api.as({})
    await api.patch(pathOf(id), { restriction_level: 37 })

    const link = `${path}/${added[0].id}`
    const statuses = [
      (await reader.get(link)).status,
      (await reader.post(path, {})).status,
      (await reader.patch(link, { label: 'b' })).status,
      (await reader.delete(link)).status,
    ]

    expect(statuses).toEqual([200, 403, 403, 403])
    expect((await api.get(link)).body.label).toBe('a')
  })

  it('belong to their dashboard', async () => {
    const { api, added } = await start([{}])
    const { id } = await createDashboard(api)

    const elsewhere = pathOf(id, `/sharing/links/${added[0].id}`)

    expect((await api.get(elsewhere)).status).toBe(404)
    expect((await api.delete(elsewhere)).status).toBe(404)
  })

  it('are logged without their addresses and passwords', async () => {
    const { api, id, path, added } = await start([{ label: 'a', password: PASSWORD }])
    const link = `${path}/${added[0].id}`
    await api.patch(link, { label: 'b' })
    await api.patch(link, { label: 'b' })
    await api.patch(link, { password: 'another horse' })
    await api.delete(link)

    const { body, text } = await api.get(pathOf(id, '/activity'))

    expect(body.results.map(({ activity }: { activity: string }) => activity)).toEqual([
      'public link revoked',
      'public link changed',
      'public link changed',
      'public link added',
      'created',
    ])
    for (const secret of [added[0].access_token, PASSWORD, 'scrypt']) {
      expect(text).not.toContain(secret)
    }
  })
})

describe('a public link with a time', () => {
  it('is not found before it starts', async () => {
    const { added, visitor } = await start([{ starts_at: LATER }])

    expect((await visitor.get(dataOf(added[0]))).status).toBe(404)
    expect((await visitor.get(pageOf(added[0]))).status).toBe(404)
  })

  it('is gone when it has ended', async () => {
    const { api, added, visitor } = await start([{ expires_at: LATER }])
    expect((await visitor.get(dataOf(added[0]))).status).toBe(200)

    await setExpiry(api, PAST)

    const data = await visitor.get(dataOf(added[0]))
    const page = await visitor.get(pageOf(added[0]))
    expect([data.status, data.body.code, page.status]).toEqual([410, 'gone', 410])
    expect(page.text).toContain('This link has ended')
    expect(page.text).not.toContain('Sales')
  })
})

describe('a public link with a password', () => {
  it('shows nothing until the password is entered', async () => {
    const { added, visitor } = await start([{ password: PASSWORD }])
    const [link] = added

    const page = await visitor.get(pageOf(link))
    const files = await Promise.all(
      ['json', 'csv', 'png', 'pdf'].map((format) => visitor.get(`${pageOf(link)}.${format}`)),
    )

    expect(link.audience).toBe('password')
    expect(page.status).toBe(401)
    expect(page.text).toContain('Enter the password')
    for (const { status, text } of [page, ...files]) {
      expect(status).toBe(401)
      expect(text).not.toMatch(/Sales|Visits|Hello/)
    }
  })

  it('opens for a browser that has entered it, at this link only', async () => {
    const { added, visitor } = await start([{ password: PASSWORD }, { password: PASSWORD }])
    const [link, other] = added

    const entered = await visitor.post(passwordOf(link), { password: PASSWORD })
    const cookie = cookiesOf(entered)

    expect(entered.status).toBe(204)
    expect((await visitor.get(dataOf(link), cookie)).status).toBe(200)
    expect((await visitor.get(pageOf(link), cookie)).text).toContain('Hello')
    expect((await visitor.get(dataOf(other), cookie)).status).toBe(401)
    const renamed = { cookie: cookie.cookie.replace(`_${link.id}=`, `_${other.id}=`) }
    expect((await visitor.get(dataOf(other), renamed)).status).toBe(401)
  })

  it('takes the form of its page, and says when the password is wrong', async () => {
    const { api, added } = await start([{ password: PASSWORD }])
    const enter = (password: string) =>
      fetch(api.url + passwordOf(added[0]), {
        method: 'POST',
        body: new URLSearchParams({ password }),
        redirect: 'manual',
      })

    const [wrong, right] = [await enter('wrong horse'), await enter(PASSWORD)]

    expect([wrong.status, right.status]).toEqual([401, 303])
    expect(await wrong.text()).toContain('The password is wrong.')
    expect(wrong.headers.getSetCookie()).toEqual([])
    expect(right.headers.get('location')).toBe(pageOf(added[0]))
  })

  it('forgets those who entered an earlier password', async () => {
    const { api, path, added, visitor } = await start([{ password: PASSWORD }])
    const cookie = cookiesOf(await visitor.post(passwordOf(added[0]), { password: PASSWORD }))

    await api.patch(`${path}/${added[0].id}`, { password: 'another horse' })
    const after = await visitor.get(dataOf(added[0]), cookie)
    const { body } = await api.patch(`${path}/${added[0].id}`, { password: null })

    expect([after.status, body.audience]).toEqual([401, 'anyone'])
    expect((await visitor.get(dataOf(added[0]))).status).toBe(200)
  })

  it('is throttled after wrong ones, for the network that sends them', async () => {
    const api = await startApp(undefined, { HEDGEROW_TRUSTED_PROXY: '127.0.0.1' })
    const { id } = await createDashboard(api)
    const { body } = await api.post(pathOf(id, '/sharing/links'), { password: PASSWORD })
    const enter = (password: string, from: string) =>
      api.withKey(undefined).post(passwordOf(body), { password }, { 'x-forwarded-for': from })
    for (let time = 0; time < 10; time++) await enter('wrong horse', '192.0.2.66')

    expect((await enter(PASSWORD, '192.0.2.66')).status).toBe(429)
    expect((await enter(PASSWORD, '198.51.100.7')).status).toBe(204)
  })

  it('opens in its own window rather than in a frame', async () => {
    const { added, visitor } = await start([{ password: PASSWORD }])

    const { status, text } = await visitor.get(`/embedded/${added[0].access_token}`)

    expect(status).toBe(200)
    expect(text).toContain(`href="${pageOf(added[0])}"`)
    expect(text).not.toMatch(/Sales|Visits|Hello/)
  })
})

describe('views of a public link', () => {
  it('are counted by page and file, but not when an open page refreshes', async () => {
    const { api, path, added, visitor } = await start([{}])
    const [link] = added
    await visitor.get(pageOf(link))
    await visitor.get(dataOf(link), { 'x-live-page': '1' })
    await visitor.get(`${pageOf(link)}.csv`)
    await visitor.get(`/embedded/${link.access_token}`)

    const { body } = await api.get(`${path}/${link.id}`)
    const days = await api.get(`${path}/${link.id}/views`)

    expect([body.views, body.last_viewed_at]).toEqual([3, expect.stringMatching(/Z$/)])
    expect(days.body).toEqual({
      results: [{ day: body.last_viewed_at.slice(0, 10), views: 3 }],
      guests: [],
    })
  })

  it('end the link at their limit, though not for the last visitor', async () => {
    const { added, visitor } = await start([{ max_views: 2 }])
    const [link] = added
    const [one, two] = [await visitor.get(pageOf(link)), await visitor.get(pageOf(link))]

    const again = await visitor.get(dataOf(link), cookiesOf(one))
    const refused = await visitor.get(dataOf(link), { 'x-live-page': '1' })

    expect([one.status, two.status, again.status, refused.status]).toEqual([200, 200, 200, 410])
  })

  it('do not keep a link without a limit from opening when they cannot be stored', async () => {
    const api = await startApp()
    const { id } = await createDashboard(api)
    const { body: link } = await api.post(pathOf(id, '/sharing/links'), {})
    await api.db.schema.dropTable('link_views').execute()

    expect((await api.withKey(undefined).get(dataOf(link))).status).toBe(200)
  })

  it('never exceed the limit when visitors come at once', async () => {
    const { api, path, added, visitor } = await start([{ max_views: 3 }])

    const responses = await Promise.all(
      Array.from({ length: 10 }, () => visitor.get(dataOf(added[0]))),
    )

    const opened = responses.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(3)
    expect((await api.get(`${path}/${added[0].id}`)).body.views).toBe(3)
  })
})

describe('what a public link shows', () => {
  it('has no files if it allows no downloads', async () => {
    const { added, visitor } = await start([{ allows_exports: false }])
    const [link] = added

    const page = await visitor.get(pageOf(link))
    const csv = await visitor.get(`${pageOf(link)}.csv`)

    expect(page.status).toBe(200)
    expect(page.text).not.toMatch(/\.csv|\.png|\.pdf/)
    expect([csv.status, csv.body.detail]).toEqual([403, 'This link does not allow downloads.'])
    expect((await visitor.get(dataOf(link))).status).toBe(200)
  })

  it('can be framed by the pages that it names', async () => {
    const { api, path, added, visitor } = await start([
      { embed_origins: ['https://a.example', 'http://localhost:3000/'] },
    ])
    const readPolicy = async () =>
      (await visitor.get(`/embedded/${added[0].access_token}`)).headers
        .get('content-security-policy')
        ?.split('; ')
        .at(-1)

    expect(await readPolicy()).toBe('frame-ancestors https://a.example http://localhost:3000')
    await api.patch(`${path}/${added[0].id}`, { embed_origins: [] })
    expect(await readPolicy()).toBe("frame-ancestors 'none'")
    await api.patch(`${path}/${added[0].id}`, { embed_origins: null })
    expect(await readPolicy()).toBe('frame-ancestors *')
  })

  it('leaves out annotations on request', async () => {
    const { api, path, added, visitor } = await start([{}])
    await api.post('/api/projects/@current/annotations', { content: 'Release' })
    const readMarks = async () =>
      (await visitor.get(dataOf(added[0]))).body.dashboard.tiles.flatMap(
        ({ insight }: { insight: { marks: object[] } | null }) => insight?.marks ?? [],
      )

    expect(await readMarks()).toHaveLength(1)
    await api.patch(`${path}/${added[0].id}`, { shows_annotations: false })
    expect(await readMarks()).toEqual([])
  })
})
