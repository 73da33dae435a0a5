import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { WebhookRequestDetails } from '#server/features/import-apps/webhooks/schema.ts'
import { stubEventSource } from '../../../test/event-source.ts'
import { pageOf } from '../../../test/fixtures.ts'
import {
  address,
  CONFIGS,
  config,
  configRoutes,
  run,
  webhookConfig,
  webhookRequest,
} from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import type { Routes } from '../../../test/server.ts'

const REQUEST = `${CONFIGS}/1/requests/1`
const PATCH = `PATCH ${CONFIGS}/1/settings`
const RUN = `${CONFIGS}/1/runs/${run().id}`
const BODY = { type: 'paid', data: { email: 'ada@example.com', items: [{ sku: 'x1' }] } }

/** Opens the drawer of a config's only request. */
async function openRequest(
  shown: PipelineConfig,
  fields: Partial<WebhookRequestDetails> = {},
  routes: Routes = {},
) {
  stubEventSource()
  const content = { query: '', headers: { 'x-shop': 'corner' }, body: JSON.stringify(BODY) }
  const opened = await openPage('/project/1/apps/1?tab=requests', {
    ...configRoutes([shown]),
    [`GET ${CONFIGS}/1/address`]: address(),
    [`GET ${CONFIGS}/1/requests`]: ({ query }: { query: URLSearchParams }) =>
      query.has('state') ? pageOf() : pageOf(webhookRequest()),
    [`GET ${REQUEST}`]: { ...webhookRequest(), ...content, ...fields },
    [PATCH]: { settings: {}, config_schema: [] },
    ...routes,
  })
  const list = await screen.findByRole('list', { name: 'Requests' })
  await opened.user.click(within(list).getByRole('button'))
  await screen.findByText('corner')
  return opened
}

describe('a request of an import app', () => {
  it.each([
    ['data.email', 'Use as person', { distinct_id: 'data.email' }],
    ['type', 'Use as event', { event: 'type' }],
    ['data.items.0.sku', 'Keep as property', { properties: 'amount, data.items.0.sku' }],
  ])('maps %s: %s', async (path, action, settings) => {
    const { user, server } = await openRequest(webhookConfig({ properties: 'amount' }))

    if (path.includes('items')) {
      await user.click(screen.getByRole('button', { name: 'Values of data.items.0' }))
    }
    await user.click(screen.getByRole('button', { name: `Use ${path}` }))
    await user.click(await screen.findByRole('menuitem', { name: action }))

    await waitFor(() => expect(server.bodiesOf(PATCH)).toEqual([{ settings }]))
  })

  it('maps the values of an item when the body is a list', async () => {
    const { user, server } = await openRequest(webhookConfig(), { body: '[{"at": 1767607200}]' })

    await user.click(screen.getByRole('button', { name: 'Use at' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Use as time' }))

    await waitFor(() => expect(server.bodiesOf(PATCH)).toEqual([{ settings: { timestamp: 'at' } }]))
  })

  it('maps the query of a request without a body', async () => {
    const { user, server } = await openRequest(webhookConfig(), { body: '', query: 'who=ada' })

    await user.click(screen.getByRole('button', { name: 'Use who' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Use as person' }))

    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ settings: { distinct_id: 'who' } }]),
    )
  })

  it('shows the mapping and removes a part of it', async () => {
    const { user, server } = await openRequest(webhookConfig({ distinct_id: 'data.email' }))

    expect(screen.getByText('when it arrived')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Remove person: data.email' }))

    await waitFor(() =>
      expect(server.bodiesOf(PATCH)).toEqual([{ settings: { distinct_id: null } }]),
    )
  })

  it('shows the values of another app without menus', async () => {
    const capabilities = { scheduled_tasks: [], jobs: [], methods: ['onRequest'] }
    await openRequest(config({}, { capabilities }))

    expect(screen.getByText('ada@example.com')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Use / })).toBeNull()
    expect(screen.queryByText('when it arrived')).toBeNull()
  })

  it('shows the events of a test once it has ended', async () => {
    const event = { event: 'paid', distinct_id: 'ada', timestamp: run().created_at, properties: {} }
    const test = run({ dry_run: true, events: 1, new_events: null, name: 'onRequest' })
    const { user } = await openRequest(
      webhookConfig(),
      {},
      {
        [`POST ${REQUEST}/test`]: { ...test, state: 'queued' },
        [`GET ${RUN}`]: test,
        [`GET ${RUN}/preview`]: { events: [event], skipped: [] },
      },
    )

    await user.click(screen.getByRole('button', { name: 'Test' }))

    const result = within(await screen.findByRole('region', { name: 'Test' }))
    expect(await result.findByText('ada')).toBeTruthy()
    expect(result.getByText('Test: nothing was stored.')).toBeTruthy()
  })

  it('hides the result of a test when the mapping changes', async () => {
    const test = run({ dry_run: true, state: 'failed', message: 'No person' })
    const routes = { [`POST ${REQUEST}/test`]: test, [`GET ${RUN}`]: test }
    const { user } = await openRequest(webhookConfig(), {}, routes)
    await user.click(screen.getByRole('button', { name: 'Test' }))
    await screen.findByText('No person')

    await user.click(screen.getByRole('button', { name: 'Use data.email' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Use as person' }))

    await waitFor(() => expect(screen.queryByText('No person')).toBeNull())
  })

  it('says why a test failed', async () => {
    const message = 'The request has no person at "email".'
    const test = run({ dry_run: true, state: 'failed', message })
    const { user } = await openRequest(
      webhookConfig(),
      {},
      {
        [`POST ${REQUEST}/test`]: test,
        [`GET ${RUN}`]: test,
      },
    )

    await user.click(screen.getByRole('button', { name: 'Test' }))

    expect(await screen.findByText(message)).toBeTruthy()
  })

  it('is replayed', async () => {
    const replay = `POST ${REQUEST}/replay`
    const { user, server } = await openRequest(webhookConfig(), {}, { [replay]: { replayed: 1 } })

    await user.click(screen.getByRole('button', { name: 'Replay' }))

    await waitFor(() => expect(server.bodiesOf(replay)).toHaveLength(1))
  })

  it('is not replayed while the import app is disabled', async () => {
    await openRequest(webhookConfig({}, { enabled: false }))

    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Replay' }).disabled).toBe(true)
  })
})
