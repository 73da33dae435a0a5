import { describe, expect, it } from 'vitest'
import { startApp, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { startMailServer } from '../../../../test/support/servers/mail-server.ts'

const INVITES = '/api/organizations/@current/invites'

let people = 0

/** Returns a new person's answer to an invite. */
const newPerson = () => ({
  first_name: 'Ann',
  email: `ann${++people}@example.com`,
  password: 'four words are long',
})

async function invite(api: TestApp, body: object = {}) {
  const response = await api.post(INVITES, { level: 1, projects: [api.projectId], ...body })
  return { ...response.body, path: `/api/invites/${response.body.link.split('/').at(-1)}` }
}

describe('invites', () => {
  it('show the organization to anyone with the link', async () => {
    const api = await startApp()
    const { path, link } = await invite(api, { level: 8, email: 'ann@example.com' })

    const { status, body } = await api.withKey(undefined).get(path)

    expect(link).toMatch(new RegExp(`^${api.url}/invite/\\w{43}$`))
    expect(status).toBe(200)
    expect(body).toEqual({ organization: 'My organization', email: 'ann@example.com', level: 8 })
  })

  it('create the user and sign them in, once', async () => {
    const api = await useApp()
    const stranger = api.withKey(undefined)
    const { path, id } = await invite(api)
    const ann = newPerson()

    const { status, body, headers } = await stranger.post(path, ann)

    expect(status).toBe(201)
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await stranger.get('/api/users/@me', { cookie })).body.uuid).toBe(body.uuid)
    expect(body).toMatchObject({ first_name: 'Ann', email: ann.email })
    const { results } = (await api.get(`/api/organizations/@current/members?search=${ann.email}`))
      .body
    expect(results).toMatchObject([
      { level: 1, projects: [api.projectId], user: { uuid: body.uuid } },
    ])
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.post(path, newPerson())).status).toBe(404)
    expect((await api.get(INVITES)).text).not.toContain(id)
  })

  it('are accepted by only one of two concurrent requests', async () => {
    const api = await useApp()
    const stranger = api.withKey(undefined)
    const { path } = await invite(api)

    const responses = await Promise.all(
      [newPerson(), newPerson()].map((person) => stranger.post(path, person)),
    )

    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 404])
  })

  it.each([
    ['an empty name', { first_name: ' ' }, 'first_name'],
    ['an invalid e-mail', { email: 'ann' }, 'email'],
    ['an e-mail that is taken', { email: 'OWNER@example.com' }, 'email'],
    ['a short password', { password: '123456789' }, 'password'],
    ['a password that is too long', { password: 'x'.repeat(201) }, 'password'],
  ])('reject %s and stay valid', async (_, wrong, attr) => {
    const api = await useApp()
    const stranger = api.withKey(undefined)
    const { path } = await invite(api)
    const ann = newPerson()

    const refused = await stranger.post(path, { ...ann, ...wrong })

    expect(refused).toMatchObject({ status: 400, body: { attr } })
    expect((await stranger.post(path, ann)).status).toBe(201)
  })

  it('for an address reject other addresses', async () => {
    const api = await useApp()
    const jo = newPerson()
    const { path } = await invite(api, { email: jo.email })

    const refused = await api.withKey(undefined).post(path, newPerson())

    expect(refused).toMatchObject({ status: 400, body: { attr: 'email' } })
    const sent = { ...jo, email: jo.email.toUpperCase() }
    expect((await api.withKey(undefined).post(path, sent)).status).toBe(201)
  })

  it('expire after 7 days or when withdrawn', async () => {
    const api = await useApp()
    const [old, withdrawn] = [await invite(api), await invite(api)]
    const expires_at = new Date(Date.now() - 1).toISOString()
    await api.db.updateTable('invites').set({ expires_at }).where('id', '=', old.id).execute()

    expect((await api.delete(`${INVITES}/${withdrawn.id}`)).status).toBe(204)

    expect((await api.get(old.path)).status).toBe(404)
    expect((await api.post(old.path, newPerson())).status).toBe(404)
    expect((await api.get(withdrawn.path)).status).toBe(404)
    expect((await api.delete(`${INVITES}/${withdrawn.id}`)).status).toBe(404)
    const { text } = await api.get(INVITES)
    for (const { id } of [old, withdrawn]) expect(text).not.toContain(id)
  })

  it('show the link once and do not store it', async () => {
    const api = await useApp()
    const { link } = await invite(api)
    const token = link.split('/').at(-1)

    expect((await api.get(INVITES)).text).not.toContain(token)
    const rows = await api.db.selectFrom('invites').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('to become an owner require an owner', async () => {
    const api = await useApp()
    const admin = await api.as({ level: 8 })

    expect((await admin.post(INVITES, { level: 15 })).status).toBe(403)
    expect((await admin.post(INVITES, { level: 8 })).status).toBe(201)
    expect((await api.post(INVITES, { level: 15 })).status).toBe(201)
  })

  it.each([
    ['no level', { level: undefined }, 'level'],
    ['an unknown project', { projects: [99] }, 'projects'],
    ['an invalid address', { email: 'ann' }, 'email'],
    ['the address of an existing user', { email: 'owner@example.com' }, 'email'],
  ])('reject %s', async (_, wrong, attr) => {
    const api = await useApp()
    const countInvites = async () => (await api.get(INVITES)).body.count
    const before = await countInvites()

    const response = await api.post(INVITES, { level: 1, ...wrong })

    expect(response).toMatchObject({ status: 400, body: { attr } })
    expect(await countInvites()).toBe(before)
  })

  it('link to the configured URL', async () => {
    const api = await startApp(undefined, { HEDGEROW_URL: 'https://hedgerow.example' })

    const { body } = await api.post(INVITES, { level: 1 })

    expect(body.link).toMatch(/^https:\/\/hedgerow\.example\/invite\/\w{43}$/)
  })

  it('are mailed if the server can send e-mail', async () => {
    const mail = await startMailServer()
    const from = { HEDGEROW_MAIL_FROM: 'hedgerow@example.com' }
    const api = await startApp(undefined, { HEDGEROW_SMTP_URL: mail.url, ...from })

    const { link, mailed, mail_problem } = await invite(api, { email: 'ann@example.com' })

    expect({ mailed, mail_problem }).toEqual({ mailed: true, mail_problem: null })
    const [received] = await mail.waitFor(1)
    expect(received?.to).toEqual(['ann@example.com'])
    expect(received?.source.replace(/=\r\n/g, '')).toContain(link)
  })

  it('report a mail that could not be sent', async () => {
    const smtp = { HEDGEROW_SMTP_URL: 'smtp://127.0.0.1:1', HEDGEROW_MAIL_FROM: 'h@example.com' }
    const api = await startApp(undefined, smtp)

    const { path, mailed, mail_problem } = await invite(api, { email: 'ann@example.com' })

    expect(mailed).toBe(false)
    expect(mail_problem).toContain('ECONNREFUSED')
    expect((await api.get(path)).status).toBe(200)
  })
})
