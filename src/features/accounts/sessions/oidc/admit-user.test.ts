import { describe, expect, it } from 'vitest'
import { createScimToken } from '#server/features/accounts/scim/tokens.ts'
import {
  type Client,
  cookieOf,
  startApp,
  type TestApp,
} from '../../../../../test/support/app/app.ts'
import { OWNER } from '../../../../../test/support/app/owner.ts'
import { startMailServer } from '../../../../../test/support/servers/mail-server.ts'
import {
  startOidcProvider,
  type TestOidcProvider,
} from '../../../../../test/support/servers/oidc-provider.ts'

const PASSWORD = 'correct horse battery staple'
const CREATES = { HEDGEROW_OIDC_CREATE: 'yes', HEDGEROW_OIDC_DOMAINS: 'example.com,other.example' }
const GROUPS = 'Analysts=member:1; CN=Leads,DC=x=admin; Board=owner'

async function start(env: Record<string, string> = {}) {
  const provider = await startOidcProvider()
  return { provider, api: await startApp(undefined, { ...provider.env, ...env }) }
}

interface Started {
  readonly api: TestApp
  readonly provider: TestOidcProvider
}

const visit = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })

/** Goes to the provider and back, and returns the user, or where the browser ends without a session. */
async function signIn({ api, provider }: Started, claims: Record<string, unknown>) {
  provider.behave({ claims: { email_verified: true, ...claims } })
  const out = await visit(`${api.url}/sign-in/oidc`)
  const there = await visit(out.headers.get('location') ?? '')
  const [cookie = ''] = (out.headers.get('set-cookie') ?? '').split(';', 1)
  const home = await visit(there.headers.get('location') ?? '', cookie)
  const token = /hedgerow_session=(\w+)/.exec(home.headers.getSetCookie().join())?.[1]
  if (!token) return home.headers.get('location')
  return (await api.withKey(undefined).get('/api/users/@me', cookieOf(token))).body
}

const members = async (api: Client) => (await api.get('/api/organizations/@current/members')).body

const memberOf = async (api: Client, email: string) => {
  const path = `/api/organizations/@current/members?search=${encodeURIComponent(email)}`
  const { level, projects } = (await api.get(path)).body.results[0]
  return { level, projects }
}

describe('OIDC sign-in of new people', { tags: 'sql' }, () => {
  it('creates a member without projects, once', async () => {
    const started = await start(CREATES)
    const claims = { email: 'Ada@Example.com', given_name: 'Ada', family_name: 'Lovelace' }

    const created = await signIn(started, claims)
    const again = await signIn(started, claims)

    expect(created).toMatchObject({ email: claims.email, first_name: 'Ada', last_name: 'Lovelace' })
    expect(again.uuid).toBe(created.uuid)
    expect((await members(started.api)).count).toBe(2)
    expect(await memberOf(started.api, 'ada@example.com')).toEqual({ level: 1, projects: [] })
  })

  it.each([
    [{ email: 'ada@elsewhere.example' }, 'other_domain'],
    [{ email: 'ada@sub.example.com' }, 'other_domain'],
    [{ email: 'ada@example.com@elsewhere.example' }, 'other_domain'],
    [{ email: 'ada@example.com', email_verified: false }, 'unverified_email'],
    [{ email: 'ada@example.com', groups: 7 }, 'failed'],
    [{ email: 'ada@example.com', groups: [['Board']] }, 'failed'],
    [{ email: 'ada@example.com', _claim_names: { groups: 'src1' } }, 'failed'],
  ])('creates nobody from %j', async (claims, problem) => {
    const started = await start({ ...CREATES, HEDGEROW_SIGN_IN_GROUPS: GROUPS })

    expect(await signIn(started, claims)).toBe(`/sign-in?problem=${problem}`)

    expect((await members(started.api)).count).toBe(1)
  })

  it('creates nobody whom SCIM has deactivated', async () => {
    const started = await start(CREATES)
    const ada = await started.api.as({})
    const token = (await createScimToken(started.api.db, 'x')).value
    const off = { Operations: [{ op: 'replace', value: { active: false } }] }
    await started.api.withKey(token).patch(`/scim/v2/Users/${ada.uuid}`, off)

    expect(await signIn(started, { email: ada.email })).toMatch(/deactivated$/)
  })

  it('creates nobody unless it is allowed', async () => {
    const started = await start()

    expect(await signIn(started, { email: 'ada@example.com' })).toMatch(/unknown_email$/)
  })

  it('takes names that are hostile or missing', async () => {
    const started = await start(CREATES)

    const long = await signIn(started, { email: 'a@example.com', name: `  ${'x'.repeat(5000)}` })
    const none = await signIn(started, { email: 'b@example.com', given_name: ['x'], name: 7 })

    expect(long.first_name).toBe('x'.repeat(150))
    expect(none).toMatchObject({ first_name: '', last_name: '' })
  })
})

describe('groups of the OIDC provider', { tags: 'sql' }, () => {
  it('give level and projects, and take them away at the next sign-in', async () => {
    const started = await start({ ...CREATES, HEDGEROW_SIGN_IN_GROUPS: `${GROUPS}; *=member:999` })
    const email = 'ada@example.com'
    const levels = []

    for (const groups of [['Analysts', 'x'], ['CN=Leads,DC=x'], 'Board', ['board'], undefined]) {
      await signIn(started, { email, groups })
      levels.push(await memberOf(started.api, email))
    }

    expect(levels).toEqual([
      { level: 1, projects: [1] },
      { level: 8, projects: [] },
      { level: 15, projects: [] },
      { level: 1, projects: [] },
      { level: 1, projects: [] },
    ])
  })

  it('make viewers of projects, and members where another group does', async () => {
    const rules = 'Guests=viewer:1; Analysts=member:1'
    const started = await start({ ...CREATES, HEDGEROW_SIGN_IN_GROUPS: rules })
    const email = 'ada@example.com'
    const levels = []

    for (const groups of [['Guests'], ['Guests', 'Analysts'], ['Guests'], []]) {
      await signIn(started, { email, groups })
      const path = `/api/organizations/@current/members?search=${encodeURIComponent(email)}`
      const { projects, viewer_of } = (await started.api.get(path)).body.results[0]
      levels.push({ projects, viewer_of })
    }

    expect(levels).toEqual([
      { projects: [1], viewer_of: [1] },
      { projects: [1], viewer_of: [] },
      { projects: [1], viewer_of: [1] },
      { projects: [], viewer_of: [] },
    ])
  })

  it('leave projects alone that no group gives', async () => {
    const started = await start({ ...CREATES, HEDGEROW_SIGN_IN_GROUPS: GROUPS })
    const email = 'ada@example.com'
    const { uuid } = await signIn(started, { email, groups: ['Analysts'] })
    const other = await started.api.createProject()
    await started.api.post(`/api/projects/${other}/members`, { user_uuid: uuid })

    await signIn(started, { email, groups: [] })

    expect((await memberOf(started.api, email)).projects).toEqual([other])
  })

  it('never demote the last owner', async () => {
    const started = await start({ HEDGEROW_SIGN_IN_GROUPS: GROUPS })

    await signIn(started, { email: OWNER.email, groups: [] })
    expect((await memberOf(started.api, OWNER.email)).level).toBe(15)

    const second = await started.api.as({ level: 15 })
    await signIn(started, { email: OWNER.email, groups: [] })
    expect((await memberOf(second, OWNER.email)).level).toBe(1)
  })

  it('leave owners alone if no group is for owners', async () => {
    const started = await start({ HEDGEROW_SIGN_IN_GROUPS: 'Leads=admin' })
    await started.api.as({ level: 15 })

    await signIn(started, { email: OWNER.email, groups: ['Leads'] })

    expect((await memberOf(started.api, OWNER.email)).level).toBe(15)
  })

  it('can be in a claim of another name', async () => {
    const started = await start({
      ...CREATES,
      HEDGEROW_OIDC_GROUPS_CLAIM: 'https://example.com/roles',
      HEDGEROW_SIGN_IN_GROUPS: GROUPS,
    })

    await signIn(started, {
      email: 'a@example.com',
      'https://example.com/roles': ['CN=Leads,DC=x'],
    })

    expect((await memberOf(started.api, 'a@example.com')).level).toBe(8)
  })
})

describe('OIDC as the only way in', () => {
  async function startOnly() {
    const mail = await startMailServer()
    const provider = await startOidcProvider()
    const api = await startApp(undefined, {
      ...provider.env,
      HEDGEROW_OIDC_ONLY: 'yes',
      HEDGEROW_SMTP_URL: mail.url,
      HEDGEROW_MAIL_FROM: 'hedgerow@example.com',
      HEDGEROW_URL: 'https://hedgerow.example',
    })
    return { api, mail, visitor: api.withKey(undefined) }
  }

  it('refuses the right password of everyone but owners, and starts no session', async () => {
    const { api, visitor } = await startOnly()
    const admin = await api.as({ level: 8, password: PASSWORD })

    const refused = await visitor.post('/api/sign_in', { email: admin.email, password: PASSWORD })

    expect(refused).toMatchObject({
      status: 403,
      body: { detail: 'Sign in with Acme. Only owners can sign in here, in an emergency.' },
    })
    expect(refused.headers.get('set-cookie')).toBeNull()
    const wrong = { email: admin.email, password: 'wrong' }
    expect((await visitor.post('/api/sign_in', wrong)).status).toBe(400)
    expect((await visitor.get('/api/sign_in')).body.oidc).toEqual({ name: 'Acme', is_only: true })
  })

  it('mails all owners when one of them uses their password', async () => {
    const { api, mail, visitor } = await startOnly()
    const other = await api.as({ level: 15 })

    const { status } = await visitor.post('/api/sign_in', OWNER)

    expect(status).toBe(204)
    const mails = await mail.waitFor(2)
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual([OWNER.email, other.email].toSorted())
    expect(mails[0]?.source).toContain('An owner signed in to Hedgerow without Acme')
  })

  it('mails reset links to owners only, and invites nobody', async () => {
    const { api, mail, visitor } = await startOnly()
    const member = await api.as({ password: PASSWORD })

    for (const email of [member.email, OWNER.email]) {
      expect((await visitor.post('/api/reset_password/mail', { email })).status).toBe(204)
    }
    const invited = await api.post('/api/organizations/@current/invites', { level: 1 })

    expect((await mail.waitFor(1)).map(({ to }) => to)).toEqual([[OWNER.email]])
    expect(invited).toMatchObject({ status: 403, body: { detail: expect.stringMatching('Acme') } })
  })
})
