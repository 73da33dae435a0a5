import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fill } from '../../test/fill.ts'
import { openPage } from '../../test/render.tsx'

const DEMO = 'POST /api/projects/1/demo_data'
const RUN = 'GET /api/projects/1/pipeline_import_apps_configs/3/runs/r1'
const FILLED = 'GET /api/environments/1/dashboards/7'

const run = (state: string, done: number) => ({
  id: 'r1',
  state,
  message: 'The disk is full.',
  progress: { done, total: 20_000, message: '' },
})

function openAt(hash: string): void {
  location.hash = hash
  onTestFinished(() => {
    location.hash = ''
  })
}

function stubNavigation() {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  onTestFinished(() => assign.mockRestore())
  return assign
}

describe('demo data in the setup', () => {
  it('shows the progress of the import, and opens the dashboard once it is filled', async () => {
    openAt('#data')
    const assign = stubNavigation()
    let fill = (_: unknown) => {}
    const { user, server } = await openPage('/set-up', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up: false },
      [DEMO]: { config_id: 3, dashboard_id: 7, dashboard_ids: [7], run: run('queued', 0) },
      [RUN]: run('running', 5000),
      [FILLED]: () =>
        new Promise((resolve) => {
          fill = resolve
        }),
    })

    await user.click(await screen.findByRole('button', { name: 'Load demo data' }))
    await screen.findByText('5,000 of 20,000 events')
    const bar = screen.getByRole('progressbar', { name: 'Import progress' })
    expect(bar.getAttribute('aria-valuenow')).toBe('25')
    expect(assign).not.toHaveBeenCalled()
    server.reply({ [RUN]: run('succeeded', 20_000) })
    await screen.findByText('Computing the dashboard…')
    expect(assign).not.toHaveBeenCalled()
    await waitFor(() => expect(server.requests.at(-1)?.query.get('refresh')).toBe('blocking'))
    fill({})

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/project/1/dashboards/7'))
  })

  it('explains a failed import and can be repeated', async () => {
    openAt('#data')
    const { user, server } = await openPage('/set-up', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up: false },
      [DEMO]: { config_id: 3, dashboard_id: 7, dashboard_ids: [7], run: run('queued', 0) },
      [RUN]: run('failed', 10),
    })

    await user.click(await screen.findByRole('button', { name: 'Load demo data' }))
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.')
    await user.click(screen.getByRole('button', { name: 'Try again' }))

    await waitFor(() => expect(server.bodiesOf(DEMO)).toHaveLength(2))
  })
})

describe('set-up link', () => {
  it('that was used shows no form', async () => {
    openAt('#token=used')

    await openPage('/set-up', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up: false },
    })

    await screen.findByRole('heading', { name: 'Hedgerow is already set up' })
    expect(screen.queryByLabelText('Password')).toBeNull()
    expect(screen.getByRole('link', { name: 'Sign in instead' })).toBeTruthy()
  })

  it.each([
    ['is mentioned on the sign-in page', true],
    ['is not mentioned there once it is used', false],
  ])('%s', async (_, needs_set_up) => {
    await openPage('/sign-in', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up },
    })

    await screen.findByRole('button', { name: 'Sign in' })
    const mention = screen.queryByText('This server is not set up yet')
    expect(mention !== null).toBe(needs_set_up)
  })

  it('splits the full name as Settings shows it, and takes the time zone of the browser', async () => {
    openAt('#token=abc')
    const { user, server } = await openPage('/set-up', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up: true },
      'POST /api/set_up': null,
      'PATCH /api/projects/@current': {},
    })
    await fill(user, await screen.findByLabelText('Your name'), 'Nora van Dyk')
    await fill(user, screen.getByLabelText('E-mail'), 'nora@example.com')
    await fill(user, screen.getByLabelText('Password'), 'three green hedges')

    await user.click(screen.getByRole('button', { name: 'Create account' }))

    await screen.findByRole('heading', { name: 'Load demo data?' })
    expect(server.bodiesOf('POST /api/set_up')).toMatchObject([
      { first_name: 'Nora', last_name: 'van Dyk' },
    ])
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(server.bodiesOf('PATCH /api/projects/@current')).toEqual([{ timezone }])
  })
})
