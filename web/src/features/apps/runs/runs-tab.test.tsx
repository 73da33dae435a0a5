import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Run } from '#server/features/import-apps/runs/schema.ts'
import { stubEventSource } from '../../../test/event-source.ts'
import { CONFIGS, config, configRoutes, metrics, run } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'

const RUN = `${CONFIGS}/1/runs/${run().id}`
const RUNNING = { state: 'running', finished_at: null } as const

async function openRuns(shown: Partial<Run>, error = '') {
  stubEventSource()
  return openPage('/project/1/apps/1?tab=runs', {
    ...configRoutes([config({ error })], run(shown)),
    [`GET ${RUN}/preview`]: {
      events: [
        {
          event: 'bought',
          distinct_id: 'ada',
          timestamp: '2026-01-05T10:00:00.000Z',
          properties: { $lib: 'x', amount: 5 },
        },
      ],
      skipped: [{ reason: 'Line 3: no person ID.', row: ',5' }],
    },
  })
}

describe('runs of an import app', () => {
  it('say how many rows were read, new, already stored and skipped', async () => {
    const { user } = await openRuns({ events: 8, new_events: 4, skipped: 1 })

    expect(await screen.findByText('9 read, 4 new, 4 already stored, 1 skipped')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show skipped rows' }))

    expect(await screen.findByText('Line 3: no person ID.')).toBeTruthy()
    const download = screen.getByRole('link', { name: 'Download skipped rows' })
    expect(download.getAttribute('href')).toBe(`${RUN}/skipped`)
  })

  it('say how many of the skipped rows are shown and kept', async () => {
    const { user } = await openRuns({ events: 0, new_events: 0, skipped: 12_000 })

    await user.click(await screen.findByRole('button', { name: 'Show skipped rows' }))

    expect(await screen.findByText('First 1 of 12,000 skipped rows')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Download first 10,000 skipped rows' })).toBeTruthy()
  })

  it('say that a test did not read all rows', async () => {
    await openRuns({ dry_run: true, events: 1000, new_events: null, skipped: 20 })

    expect(await screen.findByText('a test ends after 1,000 rows')).toBeTruthy()
    expect(await screen.findByText('First 1 of 1,000 events')).toBeTruthy()
  })

  it('show the events of a test run, which stored nothing', async () => {
    await openRuns({ dry_run: true, events: 1, new_events: null, skipped: 1 })

    expect(await screen.findByText('2 read, 1 would be imported, 1 skipped')).toBeTruthy()
    expect(screen.getByText('nothing was stored')).toBeTruthy()
    const row = within((await screen.findByText('bought')).closest('tr') as HTMLElement)
    expect(row.getByText('ada')).toBeTruthy()
    expect(row.getByText('{"amount":5}')).toBeTruthy()
  })

  it('do not count rows when a test failed before it read any', async () => {
    await openRuns({
      ...{ dry_run: true, state: 'failed', message: 'No such file', events: 0, new_events: null },
    })

    expect(await screen.findByText('No such file')).toBeTruthy()
    expect(screen.getByText('nothing was stored')).toBeTruthy()
    expect(screen.queryByText('Nothing to import')).toBeNull()
  })

  it.each([
    ['is running', RUNNING, 'Cancel run'],
    ['was canceled', { state: 'cancelled' as const }, 'Retry run'],
  ])('do not call an older run the last one when the last %s', async (_, last, button) => {
    await openRuns(last, 'No such shop')

    expect(await screen.findByRole('button', { name: button })).toBeTruthy()
    expect(screen.queryByText('Last run failed')).toBe(null)
    expect(screen.queryByText('Failed')).toBe(null)
  })

  it('say so when the last one failed', async () => {
    await openRuns({ state: 'failed', message: 'No such shop' }, 'No such shop')

    expect(await screen.findByText('Last run failed')).toBeTruthy()
  })

  it('have a bar without a value while the total is unknown', async () => {
    await openRuns({ ...RUNNING, progress: { done: 3, total: null, message: '' } })

    const bar = await screen.findByRole('progressbar', { name: 'work' })
    expect(bar.hasAttribute('aria-valuenow')).toBe(false)
  })
})

describe('list of import apps', () => {
  it('counts runs, not batches of events, as successes', async () => {
    stubEventSource()
    const hour = { runs_succeeded: 1, runs_failed: 1, deliveries_succeeded: 49, events: 10 }
    await openPage('/project/1/apps', {
      ...configRoutes([config({ delivery_rate_24h: '0.98' })], run()),
      [`GET ${CONFIGS}/1/metrics`]: metrics(hour),
    })

    expect(await screen.findByText('1 of 2 runs succeeded')).toBeTruthy()
    expect(screen.queryByText(/98/)).toBe(null)
  })
})

describe('settings of an import app', () => {
  it('are saved and tested without enabling the app', async () => {
    stubEventSource()
    const fields = [{ key: 'shop', name: 'Shop', type: 'string' as const }]
    const shown = config({ enabled: false }, { config_schema: fields })
    const { user, server } = await openPage('/project/1/apps/1', {
      ...configRoutes([shown]),
      [`PATCH ${CONFIGS}/1`]: shown,
      [`POST ${CONFIGS}/1/job`]: run({ dry_run: true, state: 'queued' }),
    })

    await user.click(await screen.findByRole('button', { name: 'Save and test' }))

    await waitFor(() =>
      expect(server.bodiesOf(`POST ${CONFIGS}/1/job`)).toEqual([{ dry_run: true }]),
    )
    const [saved] = server.bodiesOf(`PATCH ${CONFIGS}/1`) as FormData[]
    expect(saved?.has('enabled')).toBe(false)
  })
})
