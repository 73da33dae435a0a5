import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { CONFIGS, config, configRoutes, metrics, run } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'

const PATCH = `PATCH ${CONFIGS}/1`
const FAILED = { state: 'failed', message: 'No such shop' } as const

describe('page of an import app', () => {
  it('shows why the last run failed, its success rate, and retries it', async () => {
    stubEventSource()
    const retry = `POST ${CONFIGS}/1/runs/${run().id}/retry`
    const { user, server } = await openPage('/project/1/apps/1', {
      ...configRoutes([config({ error: 'No such shop' })], run({ ...FAILED, retry_of: run().id })),
      [`GET ${CONFIGS}/1/metrics`]: metrics({ runs_failed: 1 }),
      [retry]: run({ state: 'queued' }),
    })

    expect((await screen.findByRole('alert')).textContent).toContain('No such shop')
    await user.click(screen.getByRole('tab', { name: 'Health' }))
    expect(await screen.findByText('0%')).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: 'Runs' }))
    expect(await screen.findByText('retry')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Retry run' }))

    await waitFor(() => expect(server.bodiesOf(retry)).toHaveLength(1))
  })

  it('says once that it is disabled', async () => {
    stubEventSource()

    await openPage('/project/1/apps/1', configRoutes([config({ enabled: false })], run()))

    await screen.findByRole('heading', { level: 1 })
    expect(await screen.findAllByText('Disabled')).toHaveLength(1)
  })

  it('shows the message of the last run as the last error', async () => {
    stubEventSource()
    const { user } = await openPage('/project/1/apps/1', {
      ...configRoutes([config({ error: '' })], run({ ...FAILED, message: 'Wrong key' })),
      [`GET ${CONFIGS}/1/metrics`]: metrics({ runs_succeeded: 1, runs_failed: 1 }),
    })

    await user.click(await screen.findByRole('tab', { name: 'Health' }))

    expect(await screen.findByText('50%')).toBeTruthy()
    expect(await screen.findByText('Wrong key')).toBeTruthy()
  })

  it('runs a job with the values of its form', async () => {
    stubEventSource()
    const payload = { events: { type: 'number' as const, title: 'How many events' } }
    const shown = config({}, { public_jobs: { 'Generate events': { payload } } })
    const { user, server } = await openPage('/project/1/apps/1?tab=jobs', {
      ...configRoutes([shown], run()),
      [`POST ${CONFIGS}/1/job`]: run({ state: 'queued' }),
    })

    const form = within(await screen.findByRole('form', { name: 'Generate events' }))
    await user.type(form.getByLabelText('How many events'), '500')
    await user.click(form.getByRole('button', { name: 'Run job' }))

    await screen.findByRole('tab', { name: 'Runs', selected: true })
    expect(server.bodiesOf(`POST ${CONFIGS}/1/job`)).toEqual([
      { job: { type: 'Generate events', payload: { events: 500 } } },
    ])
  })

  it('shows progress and log lines as they arrive, and cancels the run', async () => {
    const stream = stubEventSource()
    const cancel = `POST ${CONFIGS}/1/runs/${run().id}/cancel`
    const { user, server } = await openPage('/project/1/apps/1?tab=logs', {
      ...configRoutes([config()]),
      [cancel]: run({ state: 'cancelled' }),
    })
    await screen.findByText('No logs yet')
    act(() => stream().onopen?.())
    expect(screen.getByText('Live')).toBeTruthy()

    const progress = { done: 43, total: 100, message: 'Reading page 43' }
    const line = { id: 1, timestamp: run().created_at, source: 'CONSOLE', type: 'LOG' }
    const running = run({ state: 'running', finished_at: null, progress })
    server.reply(configRoutes([config()], running)) // the page polls while a run is unfinished
    act(() => {
      stream().send('run', running)
      stream().send('log', { ...line, message: 'I am reading' })
    })

    expect(await screen.findByText('Reading page 43')).toBeTruthy()
    expect(screen.getByText(/43 of 100 \(43%\)/)).toBeTruthy()
    expect(await within(await screen.findByRole('log')).findByText('I am reading')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel run' }))
    await waitFor(() => expect(server.bodiesOf(cancel)).toHaveLength(1))
    server.reply(configRoutes([config()], run({ state: 'cancelled' })))
    act(() => stream().send('run', run({ state: 'cancelled' })))
    await user.click(screen.getByRole('tab', { name: 'Runs' }))
    expect(await within(screen.getByRole('tabpanel')).findByText('Canceled')).toBeTruthy()
  })

  it('renames the import app', async () => {
    stubEventSource()
    const { user, server } = await openPage('/project/1/apps/1', {
      ...configRoutes([config()]),
      [PATCH]: config({ name: 'New name' }),
    })

    await user.click(await screen.findByRole('button', { name: 'Rename import app' }))
    await user.clear(screen.getByLabelText('Name'))
    await user.type(screen.getByLabelText('Name'), 'New name{Enter}')

    await waitFor(() => expect(server.bodiesOf(PATCH)).toEqual([{ name: 'New name' }]))
  })

  it('moves to trash, and is restored from the list', async () => {
    stubEventSource()
    const { user, server } = await openPage('/project/1/apps/1', {
      ...configRoutes([config()]),
      [PATCH]: config({ deleted: true }),
    })
    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    const trash = await screen.findByRole('menuitem', { name: 'Move to trash' })
    server.reply(configRoutes([config({ deleted: true })]))
    await user.click(trash)

    await screen.findByText('No import apps yet')
    await user.click(await screen.findByRole('button', { name: 'Trash (1)' }))
    await user.click(await screen.findByRole('button', { name: 'Restore' }))

    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ deleted: true }, { deleted: false }]),
    )
  })
})

describe('list of import apps', () => {
  it('shows why a run failed', async () => {
    const shown = config({ error: 'No such shop' })
    await openPage('/project/1/apps', configRoutes([shown], run(FAILED)))

    expect(await screen.findByText('Failed')).toBeTruthy()
    expect(await screen.findByText('No such shop')).toBeTruthy()
  })

  it('shows that the app is no longer installed', async () => {
    const error = 'The plugin is not installed.'
    await openPage('/project/1/apps', configRoutes([config({ plugin_info: '', error })]))

    expect(await screen.findByText('Not installed')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Run Mine now' }).getAttribute('aria-disabled')).toBe(
      'true',
    )
  })

  it('runs the only job from the list', async () => {
    const { user, server } = await openPage('/project/1/apps', {
      ...configRoutes([config()], run()),
      [`POST ${CONFIGS}/1/job`]: run({ state: 'queued' }),
    })

    await user.click(await screen.findByRole('button', { name: 'Run Mine now' }))

    await waitFor(() => expect(server.bodiesOf(`POST ${CONFIGS}/1/job`)).toEqual([{}]))
  })
})
