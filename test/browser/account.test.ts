import { describe, expect, it } from 'vitest'
import { insertOneTimeToken } from '#server/features/people/sessions/one-time-tokens-store.ts'
import { startTestWorker } from '../import-app.ts'
import { OWNER } from '../owner.ts'
import { until } from '../until.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoProblems, openBrowser, startWeb, type Web } from './browser.ts'

const JANE = { name: 'Jane', email: 'jane@example.com', password: 'three green hedges' }

async function signIn({ page }: Web, password = OWNER.password): Promise<void> {
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const pathOf = ({ page }: Web) => page.url().replace(new URL(page.url()).origin, '')

describe('the first visit', () => {
  it('makes somebody the owner, and in one click shows a dashboard with numbers', async () => {
    const web = await startWeb({ as: null })
    const { api, page } = web
    startTestWorker(api)
    const token = await insertOneTimeToken(api.db, 'set_up', 1)
    await page.goto(`/set-up#token=${token}`)
    await page.getByLabel('Your name').fill(JANE.name)
    await page.getByLabel('E-mail').fill(JANE.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('heading', { name: 'Load demo data?' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Load demo data' }).click()

    await page.waitForURL('**/project/1/dashboards/1')
    const { body: me } = await api.get('/api/users/@me')
    expect(me).toMatchObject({ first_name: JANE.name, email: JANE.email })
    const numbers = await until(async () => {
      const { body } = await api.get('dashboards/1?refresh=blocking')
      const [series] = body.tiles[0].insight.result ?? []
      return series?.data.some((value: number) => value > 0) && series.data
    })
    expect(numbers.length).toBeGreaterThan(5)
    expectNoProblems(web)
  })

  it('says what is wrong at its field, and keeps what was typed', async () => {
    const { api, page } = await startWeb({ as: null })
    const { uuid } = await api.as({})
    const { email } = await api.db
      .selectFrom('users')
      .select('email')
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
    await page.goto(`/set-up#token=${await insertOneTimeToken(api.db, 'set_up', 1)}`)
    await page.getByLabel('Your name').fill(JANE.name)
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('too short')

    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Use at least 10 characters.', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByText(`There is already a user with the e-mail ${email}.`).waitFor()
    expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Your name').inputValue()).toBe(JANE.name)
  })

  it('does not work with a link that was used', async () => {
    const { page } = await startWeb({ as: null })
    await page.goto('/set-up#token=used')
    await page.getByLabel('Your name').fill(JANE.name)
    await page.getByLabel('E-mail').fill(JANE.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)

    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('alert').getByText('This link has already been used before').waitFor()
  })
})

describe('signing in', () => {
  it('leads to where one wanted to go, and out again', async () => {
    const web = await startWeb({ as: null })
    await web.page.goto('/project/1/events?event=x')

    await signIn(web)

    await web.page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    expect(pathOf(web)).toBe('/project/1/events?event=x')
    await web.page.getByRole('button', { name: /^Account menu/ }).click()
    await web.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await web.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await web.page.context().cookies()).toEqual([])
    await web.page.goto('/project/1/events')
    await web.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expectNoProblems(web)
  })

  it('refuses a wrong password, and takes the right one after it', async () => {
    const web = await startWeb({ as: null })
    await web.page.goto('/sign-in')

    await signIn(web, 'wrong')

    await web.page.getByRole('alert').getByText('E-mail or password is wrong.').waitFor()
    await signIn(web)
    await web.page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ])('does not lead to %j', async (next) => {
    const web = await startWeb({ as: null })
    await web.page.goto(`/sign-in?next=${encodeURIComponent(next)}`)

    await signIn(web)

    await web.page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
    expect(new URL(web.page.url()).origin).toBe(web.api.url)
  })

  it('is asked for again when the session has ended elsewhere', async () => {
    const web = await startWeb()
    await web.page.goto('/project/1/events')
    await web.page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await web.api.post('/api/sign_out/everywhere')

    await web.page.reload()

    await web.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(web.page.url()).searchParams.get('next')).toBe('/project/1/events')
  })
})

describe('a link for a new password', () => {
  it('sets it and signs in', async () => {
    const web = await startWeb({ as: null })
    const { api, page } = web
    const token = await insertOneTimeToken(api.db, 'reset_password', 1)
    await page.goto(`/reset-password#token=${token}`)
    await page.getByRole('textbox', { name: 'Password' }).fill(JANE.password)

    await page.getByRole('button', { name: 'Set password' }).click()

    await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
    const sent = { email: OWNER.email, password: JANE.password }
    expect((await api.post('/api/sign_in', sent)).status).toBe(204)
    expectNoProblems(web)
  })
})

describe('whoever is in no project', () => {
  it('is told so, and can sign out', async () => {
    const { api } = await startWeb({ as: null })
    const homeless = await api.as({ memberOf: [] })
    const { page } = await openBrowser(api, { as: homeless })

    await page.goto('/')

    await page.getByRole('heading', { name: 'No project yet' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })
})

describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
  it('each page is accessible', async () => {
    const { page } = await startWeb({ colorScheme, bypassCSP: true, as: null })
    const pages = {
      '/sign-in?problem=unknown_email': 'Sign in',
      '/set-up#token=x': 'Welcome to Hedgerow',
      '/set-up': 'Set up Hedgerow',
      '/reset-password#token=x': 'Reset password',
      '/invite/nothing': 'Invitation no longer valid',
      '/no-project': 'No project yet',
    }

    for (const [path, name] of Object.entries(pages)) {
      await page.goto('about:blank')
      await page.goto(path)
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await expectAccessible(page)
    }
    await page.goto('/reset-password#token=x')
    await page.getByRole('textbox', { name: 'Password' }).fill('too short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Use at least 10 characters.', { exact: true }).waitFor()
    await expectAccessible(page)
  })
})
