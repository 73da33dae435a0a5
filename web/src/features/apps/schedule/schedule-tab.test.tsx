import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { pageOf } from '../../../test/fixtures.ts'
import {
  CONFIGS,
  config,
  configRoutes,
  HEALTH,
  health,
  schedule,
} from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem } from '../../../test/server.ts'

const PATCH = `PATCH ${CONFIGS}/1/schedule`
const HOURLY = { capabilities: { scheduled_tasks: ['runEveryHour'], jobs: [], methods: [] } }
const PAGE = '/project/1/apps/1?tab=schedule'

const routes = () => configRoutes([config({}, HOURLY)])

describe('the schedule of an import app', () => {
  it('is changed to an interval', async () => {
    stubEventSource()
    const { user, server } = await openPage(PAGE, { ...routes(), [PATCH]: schedule() })

    expect(await screen.findByLabelText('As the app says: every hour')).toBeTruthy()
    await user.click(screen.getByLabelText('At a regular interval'))
    await user.clear(screen.getByLabelText('Every'))
    await user.type(screen.getByLabelText('Every'), '6')
    await user.type(screen.getByLabelText('Late after'), '2')
    await user.click(screen.getByRole('button', { name: 'Save schedule' }))

    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([
        { schedule: { every: '6h' }, expected_every: '2d', retry: null },
      ]),
    )
  })

  it('says how often a run is repeated', async () => {
    stubEventSource()
    const { user, server } = await openPage(PAGE, { ...routes(), [PATCH]: schedule() })

    await user.type(await screen.findByLabelText('Retries'), '3')
    await user.click(screen.getByRole('button', { name: 'Save schedule' }))

    const retry = { times: 3, backoff: 'exponential' }
    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ schedule: null, expected_every: null, retry }]),
    )
  })

  it('shows what is wrong with an expression at its field', async () => {
    stubEventSource()
    const detail = 'Field 2 (hour) is not valid: "25".'
    const { user } = await openPage(PAGE, {
      ...routes(),
      [PATCH]: problem(400, detail, 'schedule__cron'),
    })

    await user.click(await screen.findByLabelText('At set times (cron)'))
    await user.clear(screen.getByLabelText('Cron expression'))
    await user.type(screen.getByLabelText('Cron expression'), '0 25 * * *')
    await user.click(screen.getByRole('button', { name: 'Save schedule' }))

    expect(await screen.findByText(detail)).toBeTruthy()
    expect(screen.getByLabelText('Cron expression').getAttribute('aria-invalid')).toBe('true')
  })

  it('says when the next run is due', async () => {
    stubEventSource()
    const next_run_at = new Date(Date.now() + 7_200_000).toISOString()
    await openPage(PAGE, {
      ...routes(),
      [`GET ${CONFIGS}/1/schedule`]: schedule({ schedule: { every: '4h' }, next_run_at }),
    })

    expect(await screen.findByText('in 2 hours')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Every').value).toBe('4')
  })

  it('marks an import that is late, in the list too', async () => {
    stubEventSource()
    const message = 'No run has succeeded since yesterday.'
    const late = pageOf(health({ state: 'stale', message }))
    await openPage('/project/1/apps', { ...routes(), [`GET ${HEALTH}`]: late })

    expect(await screen.findByText('Late')).toBeTruthy()
    expect(screen.getByText(message)).toBeTruthy()
  })
})
