import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Backfill } from '#server/features/import-apps/backfills/schema.ts'
import { stubEventSource } from '../../../test/event-source.ts'
import { pageOf } from '../../../test/fixtures.ts'
import { backfill, CONFIGS, config, configRoutes } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem } from '../../../test/server.ts'

const PAGE = '/project/1/apps/1?tab=backfills'
const START = `POST ${CONFIGS}/1/backfill`
const ABLE = { capabilities: { scheduled_tasks: [], jobs: [], methods: ['runBackfill'] } }

function open(backfills: readonly Backfill[], more: Record<string, unknown> = {}) {
  stubEventSource()
  return openPage(PAGE, {
    ...configRoutes([config({}, ABLE)]),
    [`GET ${CONFIGS}/1/backfills`]: pageOf(...backfills),
    ...more,
  })
}

describe('the backfills of an import app', () => {
  it('begin with the days that someone chooses', async () => {
    const { user, server } = await open([], { [START]: backfill() })

    await user.type(await screen.findByLabelText('First day'), '2025-01-01')
    await user.type(screen.getByLabelText('Last day'), '2025-01-31')
    await user.click(screen.getByRole('button', { name: 'Start backfill' }))

    await waitFor(() =>
      expect(server.bodiesOf(START)).toEqual([
        { from: '2025-01-01', to: '2025-02-01', chunk: '1d' },
      ]),
    )
  })

  it('say why one was refused', async () => {
    const detail = 'The backfill x overlaps it.'
    const { user } = await open([], { [START]: problem(409, detail) })

    await user.type(await screen.findByLabelText('First day'), '2025-01-01')
    await user.type(screen.getByLabelText('Last day'), '2025-01-31')
    await user.click(screen.getByRole('button', { name: 'Start backfill' }))

    expect(await screen.findByText(detail)).toBeTruthy()
  })

  it('show their progress, and are paused', async () => {
    const pause = `POST ${CONFIGS}/1/backfills/${backfill().id}/pause`
    const { user, server } = await open([backfill()], { [pause]: backfill({ state: 'paused' }) })

    const bar = await screen.findByRole('progressbar', {
      name: 'Backfill 2025-12-01 to 2025-12-10',
    })
    expect(bar.getAttribute('aria-valuenow')).toBe('5')
    expect(screen.getByText('5 of 10 windows, 1,200 events')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Pause backfill' }))

    await waitFor(() => expect(server.bodiesOf(pause)).toHaveLength(1))
  })

  it('say why one has failed, and resume it', async () => {
    const resume = `POST ${CONFIGS}/1/backfills/${backfill().id}/resume`
    const failed = backfill({ state: 'failed', message: 'The service is down.' })
    const { user, server } = await open([failed], { [resume]: backfill() })

    expect(await screen.findByText('The service is down.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Resume backfill' }))

    await waitFor(() => expect(server.bodiesOf(resume)).toHaveLength(1))
  })
})
