import { describe, expect, it } from 'vitest'
import { DASHBOARDS, startApp, startBeside } from '../../../../test/support/app/app.ts'
import {
  addSecondFactor,
  codeOf,
  PASSWORD,
  SECOND_FACTOR,
} from '../../../../test/support/data/second-factors.ts'

const ORGANIZATION = '/api/organizations/@current'
const MEMBERS = `${ORGANIZATION}/members`
const ME = '/api/users/@me'
const DAY_MS = 86_400_000
const AT_ONCE = { enforce_2fa: true, second_factor_grace_days: 0 }
const REFUSED = {
  status: 403,
  body: { code: 'second_factor_required', detail: expect.stringContaining('/second-factor') },
}

async function start() {
  const api = await startApp()
  const user = await api.as({ password: PASSWORD })
  const browser = await api.withSession(user.userId)
  return { api, user, browser }
}

describe('an organization that requires a second factor', { tags: 'sql' }, () => {
  it('refuses sessions without one on every server, except to set one up', async () => {
    const { api, user, browser } = await start()
    const beside = await startBeside(api)
    const elsewhere = await beside.withSession(user.userId)
    expect((await elsewhere.get(DASHBOARDS)).status).toBe(200)

    expect((await api.patch(ORGANIZATION, AT_ONCE)).body).toMatchObject(AT_ONCE)

    expect(await elsewhere.get(DASHBOARDS)).toMatchObject(REFUSED)
    expect(await browser.get(DASHBOARDS)).toMatchObject(REFUSED)
    expect(await browser.post(DASHBOARDS, { name: 'x' })).toMatchObject(REFUSED)
    const { body: me } = await browser.get(ME)
    expect(me.is_2fa_enabled).toBe(false)
    expect(Date.parse(me.second_factor_due_at)).toBeLessThanOrEqual(Date.now())
    await addSecondFactor(api, browser, user.userId)
    expect((await browser.get(DASHBOARDS)).status).toBe(200)
    expect((await browser.get(ME)).body).toMatchObject({
      is_2fa_enabled: true,
      second_factor_due_at: null,
    })
  })

  it('lets members work until the grace period ends', async () => {
    const { api, browser } = await start()
    await api.patch(ORGANIZATION, { enforce_2fa: true, second_factor_grace_days: 3 })

    expect((await browser.get(DASHBOARDS)).status).toBe(200)
    const { body: me } = await browser.get(ME)
    const left = Date.parse(me.second_factor_due_at) - Date.now()
    expect(Math.round(left / DAY_MS)).toBe(3)

    const past = new Date(Date.now() - 4 * DAY_MS).toISOString()
    await api.db.updateTable('users').set({ created_at: past }).execute()
    await api.db.updateTable('organizations').set({ second_factor_required_at: past }).execute()
    await api.patch(ORGANIZATION, { enforce_2fa: true }) // does not start the grace period again
    expect(await browser.get(DASHBOARDS)).toMatchObject(REFUSED)
    await api.patch(ORGANIZATION, { enforce_2fa: false })
    expect((await browser.get(DASHBOARDS)).status).toBe(200)
  })

  it('ends the cached reads of a session when its grace period ends', async () => {
    const { api, user, browser } = await start()
    const due = Date.now() + 1500
    const required = new Date(due - DAY_MS).toISOString()
    await api.db.updateTable('users').set({ created_at: required }).execute()
    await api.db.updateTable('organizations').set({ second_factor_required_at: required }).execute()
    await api.patch(ORGANIZATION, { second_factor_grace_days: 1 })
    const { body: dashboard } = await user.post(DASHBOARDS, { name: 'x' })
    const read = () => browser.get(`${DASHBOARDS}/${dashboard.id}`)
    for (const _ of [1, 2, 3]) expect((await read()).status).toBe(200)

    await new Promise((resolve) => setTimeout(resolve, due - Date.now() + 50))

    expect(await read()).toMatchObject(REFUSED)
  })

  it('leaves API keys and sessions of the identity provider alone', async () => {
    const { api, user, browser } = await start()
    await api.patch(ORGANIZATION, AT_ONCE)
    expect(await browser.get(DASHBOARDS)).toMatchObject(REFUSED)

    expect((await user.get(DASHBOARDS)).status).toBe(200)
    await api.db
      .updateTable('sessions')
      .set({ is_from_provider: 1 })
      .where('user_id', '=', user.userId)
      .execute()
    await api.patch(ORGANIZATION, AT_ONCE)
    expect((await browser.get(DASHBOARDS)).status).toBe(200)
  })

  it('lets nobody remove a second factor, only replace it', async () => {
    const { api, user, browser } = await start()
    const { secret, recoveryCodes } = await addSecondFactor(api, browser, user.userId)
    await api.patch(ORGANIZATION, AT_ONCE)
    const proof = { current_password: PASSWORD, code: codeOf(secret) }

    const removed = await browser.post(`${SECOND_FACTOR}/remove`, proof)

    expect(removed).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await browser.get(SECOND_FACTOR)).body.is_enabled).toBe(true)
    expect((await browser.post(SECOND_FACTOR, proof)).status).toBe(201)
    expect(recoveryCodes).toHaveLength(10)
  })

  it('shows admins who has none, and nobody else', async () => {
    const { api, user, browser } = await start()
    const other = await api.as({ password: PASSWORD })
    await addSecondFactor(api, browser, user.userId)
    const listed = async (client: typeof user) => {
      const { body } = await client.get(MEMBERS)
      const members: { id: string; is_2fa_enabled: boolean | null }[] = body.results
      return [user, other].map(({ uuid }) => members.find(({ id }) => id === uuid)?.is_2fa_enabled)
    }

    expect(await listed(await api.as({ level: 8 }))).toEqual([true, false])
    expect(await listed(other)).toEqual([null, null])
    const { body } = await api.patch(`${MEMBERS}/${user.uuid}`, { level: 8 })
    expect(body.is_2fa_enabled).toBe(true)
  })

  it.each([
    ['enforce_2fa', 'yes'],
    ['enforce_2fa', null],
    ['second_factor_grace_days', -1],
    ['second_factor_grace_days', 91],
    ['second_factor_grace_days', 1.5],
  ])('is not set by an invalid %s: %j', async (name, value) => {
    const { api } = await start()

    const response = await api.patch(ORGANIZATION, { name: 'Other', [name]: value })

    expect(response).toMatchObject({ status: 400, body: { attr: name } })
    expect((await api.get(ORGANIZATION)).body).toMatchObject({
      name: 'My organization',
      enforce_2fa: false,
      second_factor_grace_days: 7,
    })
  })

  it('is set by admins', async () => {
    const { api, browser } = await start()

    expect((await browser.patch(ORGANIZATION, AT_ONCE)).status).toBe(403)
    expect((await (await api.as({ level: 8 })).patch(ORGANIZATION, AT_ONCE)).status).toBe(200)
  })
})
