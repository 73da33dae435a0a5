import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { createDashboard, pathOf, textTile } from '../../../../test/support/data/dashboards.ts'
import { type MailServer, startMailServer } from '../../../../test/support/servers/mail-server.ts'

const [PAST, LATER] = ['2020-01-01T00:00:00.000Z', '2120-01-01T00:00:00.000Z']
const ADA = 'ada@example.com'

interface Link {
  readonly id: number
  readonly access_token: string
}

/** Shares a dashboard with the people in `guests`. */
async function start(guests: readonly object[] = [{ email: ADA }]) {
  const mail = await startMailServer()
  const api = await startApp(undefined, {
    HEDGEROW_SMTP_URL: mail.url,
    HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
    HEDGEROW_TRUSTED_PROXY: '127.0.0.1',
  })
  const { id } = await createDashboard(api, { name: 'Sales', tiles: [textTile('Hello')] })
  const links = pathOf(id, '/sharing/links')
  const { status, body } = await api.post(links, { audience: 'people' })
  expect([status, body.audience]).toEqual([201, 'people'])
  const link: Link = body
  const path = `${links}/${link.id}`
  const added = []
  for (const guest of guests) added.push((await api.post(`${path}/guests`, guest)).body)
  return { api, mail, id, links, link, path, added, visitor: api.withKey(undefined) }
}

const pageOf = ({ access_token }: Link) => `/shared/${access_token}`

const codeIn = (mail: MailServer, at: number) =>
  /^Subject: (\d{6}) /m.exec(mail.mails[at]?.source ?? '')?.[1] ?? ''

/** Asks for a code and returns the one that arrives. */
async function askFor(
  { api, mail, link }: { api: TestApp; mail: MailServer; link: Link },
  email = ADA,
) {
  const before = mail.mails.length
  const { status } = await api.withKey(undefined).post(`${pageOf(link)}/code`, { email })
  expect(status).toBe(204)
  await mail.waitFor(before + 1)
  return codeIn(mail, before)
}

/** Signs a guest in and returns their cookie. */
async function letIn(started: Awaited<ReturnType<typeof start>>, email = ADA) {
  const code = await askFor(started, email)
  const entered = await started.visitor.post(`${pageOf(started.link)}/guest`, { email, code })
  expect(entered.status).toBe(204)
  const [cookie = ''] = entered.headers.getSetCookie()
  return { cookie: cookie.split(';')[0] as string, attributes: cookie }
}

const wrong = (code: string) => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))

describe('guests of a public link', () => {
  it('see nothing until they enter the code that was mailed to them, which works once', {
    tags: 'sql',
  }, async () => {
    const started = await start()
    const { link, visitor, mail } = started
    const closed = await Promise.all(
      ['', '.json', '.csv', '.png', '.pdf', '/state'].map((end) => visitor.get(pageOf(link) + end)),
    )
    for (const { status, text } of closed) {
      expect(status).toBe(401)
      expect(text).not.toMatch(/Sales|Hello/)
    }
    expect(closed[0]?.text).toContain('E-mail address')

    const { cookie, attributes } = await letIn(started)

    expect(mail.mails.map(({ to }) => to)).toEqual([[ADA]])
    expect(attributes).toMatch(/; Max-Age=2592000; Path=\/shared; HttpOnly; SameSite=Lax$/)
    const opened = await Promise.all(
      ['', '.json', '.csv', '/state'].map((end) => visitor.get(pageOf(link) + end, { cookie })),
    )
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 204])
    const again = { email: ADA, code: codeIn(mail, 0) }
    expect((await visitor.post(`${pageOf(link)}/guest`, again)).status).toBe(401)
  })

  it('pass at one link only', async () => {
    const started = await start()
    const { api, links, link, visitor } = started
    const { body: other } = await api.post(links, { audience: 'people' })
    await api.post(`${links}/${other.id}/guests`, { email: ADA })

    const { cookie } = await letIn(started)

    const renamed = cookie.replace(`_${link.id}=`, `_${other.id}=`)
    expect((await visitor.get(pageOf(other), { cookie })).status).toBe(401)
    expect((await visitor.get(pageOf(other), { cookie: renamed })).status).toBe(401)
  })

  it('are everyone at a domain, in capitals too, but not below it', async () => {
    const started = await start([{ domain: '@Example.com' }])
    const { link, visitor, mail, added } = started
    expect(added).toMatchObject([{ email: null, domain: 'example.com' }])

    for (const email of ['eve@sub.example.com', 'eve@example.com.evil.example']) {
      expect((await visitor.post(`${pageOf(link)}/code`, { email })).status).toBe(204)
    }
    const { cookie } = await letIn(started, 'Ada@EXAMPLE.com')

    expect(mail.mails.map(({ to }) => to)).toEqual([[ADA]])
    expect((await visitor.get(pageOf(link), { cookie })).status).toBe(200)
  })

  it('learn nothing about who else is invited', async () => {
    const { api, mail, link, visitor } = await start()
    const ask = async (email: string) => {
      const form = { method: 'POST', body: new URLSearchParams({ email }) }
      const response = await fetch(`${api.url}${pageOf(link)}/code`, form)
      return [response.status, (await response.text()).replaceAll(email, 'X')]
    }

    const [invited, unknown] = [await ask(ADA), await ask('eve@example.com')]
    await mail.waitFor(1)

    expect(unknown).toEqual(invited)
    expect(invited[1]).toContain('If X is invited')
    const guess = { email: 'eve@example.com', code: '000000' }
    const mistake = { email: ADA, code: wrong(codeIn(mail, 0)) }
    const [first, second] = [
      await visitor.post(`${pageOf(link)}/guest`, guess),
      await visitor.post(`${pageOf(link)}/guest`, mistake),
    ]
    expect([first.status, first.text]).toEqual([401, second.text])
    expect(first.headers.getSetCookie()).toEqual([])
  })

  it('try a code five times, and for ten minutes', { tags: 'sql' }, async () => {
    const started = await start()
    const { api, link, visitor } = started
    const enter = async (code: string) =>
      (await visitor.post(`${pageOf(link)}/guest`, { email: ADA, code })).status
    const code = await askFor(started)
    for (let time = 0; time < 5; time++) expect(await enter(wrong(code))).toBe(401)
    expect(await enter(code)).toBe(401)

    const late = await askFor(started)
    const rows = await api.db.selectFrom('link_codes').selectAll().execute()
    expect(rows.map(({ hash }) => hash.includes(late))).toEqual([false])
    const left = Date.parse(rows[0]?.expires_at ?? '') - Date.now()
    expect(left).toBeGreaterThan(590_000)
    expect(left).toBeLessThanOrEqual(600_000)
    await api.db.updateTable('link_codes').set({ expires_at: PAST }).execute()
    expect(await enter(late)).toBe(401)

    const right = await askFor(started)
    expect(await enter(` ${right.slice(0, 3)} ${right.slice(3)} `)).toBe(204)
  })

  it('are let in once by a code that two browsers enter at once', { tags: 'sql' }, async () => {
    const started = await start()
    const { link, visitor } = started
    const code = await askFor(started)

    const responses = await Promise.all(
      Array.from({ length: 4 }, () => visitor.post(`${pageOf(link)}/guest`, { email: ADA, code })),
    )

    expect(responses.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401])
  })

  it('are throttled by link and network when they are wrong, and when they ask too often', async () => {
    const { api, link } = await start()
    const post = async (step: string, body: object, from: string) =>
      (
        await api
          .withKey(undefined)
          .post(`${pageOf(link)}/${step}`, body, { 'x-forwarded-for': from })
      ).status
    const guess = { email: 'eve@example.com', code: '000000' }
    for (let time = 0; time < 10; time++) await post('guest', guess, '192.0.2.66')

    expect(await post('guest', guess, '192.0.2.66')).toBe(429)
    expect(await post('guest', guess, '198.51.100.7')).toBe(401)
    for (let time = 0; time < 3; time++) await post('code', guess, `203.0.113.${time}`)
    expect(await post('code', guess, '203.0.113.9')).toBe(429)
  })

  it.each<[string, (started: Awaited<ReturnType<typeof start>>) => Promise<unknown>]>([
    ['they are removed', ({ api, path, added }) => api.delete(`${path}/guests/${added[0].id}`)],
    [
      'they are removed and invited again',
      async ({ api, path, added }) => {
        await api.delete(`${path}/guests/${added[0].id}`)
        await api.post(`${path}/guests`, { email: ADA })
      },
    ],
    [
      'their time is over',
      ({ api }) => api.db.updateTable('link_guests').set({ expires_at: PAST }).execute(),
    ],
    [
      'the link was for others in the meantime',
      async ({ api, path }) => {
        await api.patch(path, { audience: 'anyone' })
        await api.patch(path, { audience: 'people' })
      },
    ],
    ['it gets a password', ({ api, path }) => api.patch(path, { password: 'correct horse' })],
  ])('end with the next request when %s', async (_, change) => {
    const started = await start()
    const { link, visitor } = started
    const { cookie } = await letIn(started)
    const read = async (end: string) => (await visitor.get(pageOf(link) + end, { cookie })).status
    expect(await read('/state')).toBe(204)

    await change(started)

    expect([await read('/state'), await read('.json'), await read('')]).toEqual([401, 401, 401])
  })

  it('use forms that need no script, and open a page of its own instead of a frame', async () => {
    const started = await start()
    const { api, mail, link, visitor } = started
    const send = (step: string, fields: Record<string, string>) =>
      fetch(`${api.url}${pageOf(link)}/${step}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })

    const mistyped = await send('code', { email: 'nobody' })
    const asked = await send('code', { email: ADA })
    await mail.waitFor(1)
    const code = codeIn(mail, 0)
    const mistaken = await send('guest', { email: ADA, code: wrong(code) })
    const entered = await send('guest', { email: ADA, code })

    const statuses = [mistyped, asked, mistaken, entered].map(({ status }) => status)
    expect(statuses).toEqual([400, 200, 401, 303])
    expect(await mistyped.text()).toContain('&quot;nobody&quot; is not an e-mail address.')
    expect(await asked.text()).toContain('name="code"')
    expect(await mistaken.text()).toContain('The code is wrong, or no longer works.')
    expect(entered.headers.get('location')).toBe(pageOf(link))
    const frame = await visitor.get(`/embedded/${link.access_token}`)
    expect(frame.text).toContain('opens in its own window')
    const gone = await fetch(`${api.url}/shared/%0D%0A${'x'.repeat(30)}/code`, {
      method: 'POST',
      body: new URLSearchParams({ email: ADA }),
      redirect: 'manual',
    })
    expect(gone.status).toBe(303)
  })

  it('are listed, and logged when they change', async () => {
    const { api, id, path, added } = await start([
      { email: ' Ada@Example.com ', expires_at: LATER },
      { domain: 'example.org' },
    ])
    const { body } = await api.get(`${path}/guests`)
    expect(body).toMatchObject({ count: 2, next: null, results: added })
    expect(added[0]).toEqual({
      id: expect.any(Number),
      email: ADA,
      domain: null,
      expires_at: LATER,
      created_by: expect.objectContaining({ uuid: expect.any(String) }),
      created_at: expect.stringMatching(/Z$/),
    })

    expect((await api.delete(`${path}/guests/${added[1].id}`)).status).toBe(204)
    expect((await api.delete(`${path}/guests/${added[1].id}`)).status).toBe(404)

    const { results } = (await api.get(pathOf(id, '/activity'))).body
    expect(results.slice(0, 3).map(({ activity }: { activity: string }) => activity)).toEqual([
      'public link guest removed',
      'public link guest added',
      'public link guest added',
    ])
    expect(results[0].detail.changes[0].before).toMatchObject({ domain: 'example.org' })
  })

  it('are counted by day, each for themselves', { tags: 'sql' }, async () => {
    const started = await start([{ domain: 'example.com' }])
    const { path, link, visitor, api } = started
    const [ada, bob] = [await letIn(started), await letIn(started, 'bob@example.com')]
    for (const { cookie } of [ada, bob, bob]) await visitor.get(pageOf(link), { cookie })
    await visitor.get(`${pageOf(link)}.json`, { cookie: ada.cookie, 'x-live-page': '1' })
    await visitor.get(pageOf(link))
    const day = new Date().toISOString().slice(0, 10)
    const earlier = { link_id: link.id, address: ADA, day: '2026-01-02', views: 4 }
    await api.db.insertInto('link_guest_views').values(earlier).execute()

    const { body } = await api.get(`${path}/views`)
    const ofAda = await api.get(`${path}/views?guest=${encodeURIComponent('Ada@example.com')}`)

    expect(body).toEqual({
      results: [{ day, views: 3 }],
      guests: [
        { email: ADA, views: 5, last_day: day },
        { email: 'bob@example.com', views: 2, last_day: day },
      ],
    })
    expect(ofAda.body.results).toEqual([
      { day, views: 1 },
      { day: '2026-01-02', views: 4 },
    ])
  })

  it('satisfy an organization that requires a password or people', async () => {
    const started = await start()
    const { api, links, link, path, visitor } = started
    const rules = { public_links_require_password: true }
    expect((await api.patch('/api/organizations/@current', rules)).status).toBe(200)

    expect((await visitor.get(pageOf(link))).status).toBe(401)
    expect((await api.get(path)).body.state).toBe('open')
    expect((await api.post(links, { audience: 'people' })).status).toBe(201)
    expect((await api.patch(path, { audience: 'anyone' })).status).toBe(400)
  })
})

describe('inviting guests', () => {
  /** Adds a link in an app that sends no mail. */
  async function add() {
    const api = await useApp()
    const { id } = await createDashboard(api)
    const links = pathOf(id, '/sharing/links')
    const { body } = await api.post(links, {})
    return { api, id, links, guests: `${links}/${body.id}/guests`, path: `${links}/${body.id}` }
  }

  it('is off without mail, and the response says why', async () => {
    const { api, links, path } = await add()
    const refused = [
      await api.post(links, { audience: 'people' }),
      await api.patch(path, { audience: 'people' }),
    ]

    for (const { status, body } of refused) {
      expect([status, body.attr]).toEqual([400, 'audience'])
      expect(body.detail).toContain('HEDGEROW_SMTP_URL')
    }
    expect((await api.get('/api/sign_in')).body.sends_mail).toBe(false)
    expect((await api.get(path)).body.audience).toBe('anyone')
  })

  it.each([
    [{}, 'email'],
    [{ email: 'ada' }, 'email'],
    [{ email: 'x'.repeat(255) }, 'email'],
    [{ domain: 'example' }, 'domain'],
    [{ domain: 'exa mple.com' }, 'domain'],
    [{ email: ADA, domain: 'example.com' }, 'domain'],
    [{ email: ADA, expires_at: PAST }, 'expires_at'],
    [{ email: ADA, expires_at: 'soon' }, 'expires_at'],
    [{ email: 'BOB@example.com' }, 'email'],
  ])('refuses %j', async (body, attr) => {
    const { api, guests } = await add()
    await api.post(guests, { email: 'bob@example.com' })

    const response = await api.post(guests, body)

    expect([response.status, response.body.attr]).toEqual([400, attr])
    expect((await api.get(guests)).body.count).toBe(1)
  })

  it.each([
    [{ audience: 'password' }, 'password'],
    [{ audience: 'anyone', password: 'correct horse' }, 'password'],
    [{ audience: 'password', password: null }, 'password'],
    [{ audience: 'everyone' }, 'audience'],
  ])('refuses a link with %j', async (body, attr) => {
    const { api, links } = await add()

    const response = await api.post(links, body)

    expect([response.status, response.body.attr]).toEqual([400, attr])
  })

  it('is for those who may edit the dashboard, each at its own link', async () => {
    const { api, id, links, guests } = await add()
    const { body: guest } = await api.post(guests, { email: ADA })
    const { body: other } = await api.post(links, {})
    const reader = await api.as({})
    await api.patch(pathOf(id), { restriction_level: 37 })

    const statuses = [
      (await reader.get(guests)).status,
      (await reader.post(guests, { email: 'bob@example.com' })).status,
      (await reader.delete(`${guests}/${guest.id}`)).status,
      (await api.delete(`${links}/${other.id}/guests/${guest.id}`)).status,
    ]

    expect(statuses).toEqual([200, 403, 403, 404])
    expect((await api.get(guests)).body.count).toBe(1)
  })
})
