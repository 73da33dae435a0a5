import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import type { WebhookRequest } from '#server/features/import-apps/webhooks/schema.ts'
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

const ADDRESS = `${CONFIGS}/1/address`
const REQUESTS = `${CONFIGS}/1/requests`

/** Opens the tab of a config that has received these requests. */
function openRequests(
  shown: PipelineConfig,
  requests: readonly WebhookRequest[] = [],
  routes: Routes = {},
) {
  stubEventSource()
  return openPage('/project/1/apps/1?tab=requests', {
    ...configRoutes([shown]),
    [`GET ${ADDRESS}`]: address(),
    [`GET ${REQUESTS}`]: ({ query }: { query: URLSearchParams }) =>
      pageOf(...requests.filter(({ state }) => state === (query.get('state') ?? state))),
    ...routes,
  })
}

describe('requests of an import app', () => {
  it('have no tab if the app handles none', async () => {
    stubEventSource()
    await openPage('/project/1/apps/1', configRoutes([config()]))

    expect(await screen.findByRole('tab', { name: 'Runs' })).toBeTruthy()
    expect(screen.queryByRole('tab', { name: 'Requests' })).toBeNull()
  })

  it('are waited for, with the address and an example', async () => {
    await openRequests(webhookConfig())

    expect(await screen.findByText('Waiting for the first request…')).toBeTruthy()
    const url = `${location.origin}/in/abc`
    expect(screen.getByLabelText<HTMLInputElement>('Send requests to').value).toBe(url)
    expect(screen.getByRole('region', { name: 'Try it' }).textContent).toContain(`'${url}'`)
    const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent)
    expect(tabs.slice(0, 3)).toEqual(['Settings', 'Requests', 'Schedule'])
  })

  it('have the URL that the server gives, and no example that would be refused', async () => {
    const url = 'https://hedge.example/in/abc'
    await openRequests(webhookConfig({ verify: 'stripe' }), [], {
      [`GET ${ADDRESS}`]: address({ url }),
    })

    expect((await screen.findByLabelText<HTMLInputElement>('Send requests to')).value).toBe(url)
    expect(screen.getByText(/Requests are verified \(stripe\)/)).toBeTruthy()
    expect(screen.queryByText('Try it')).toBeNull()
  })

  it.each([
    ['refuse', /requests are refused/],
    ['hold', /requests are kept/],
  ] as const)('say what happens while disabled: %s', async (while_disabled, text) => {
    await openRequests(webhookConfig({}, { enabled: false }), [], {
      [`GET ${ADDRESS}`]: address({ while_disabled }),
    })

    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('get another address, while the old one works for a day', async () => {
    const rotate = `POST ${ADDRESS}/rotate`
    const { user, server } = await openRequests(webhookConfig(), [], { [rotate]: address() })

    await user.click(await screen.findByRole('button', { name: 'Replace address…' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByLabelText('Works for 1 day'))
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const replaced = address({ path: '/in/new', previous: [{ path: '/in/abc', expires_at }] })
    server.reply({ [`GET ${ADDRESS}`]: replaced })
    await user.click(dialog.getByRole('button', { name: 'Replace address' }))

    expect(await screen.findByDisplayValue(`${location.origin}/in/new`)).toBeTruthy()
    expect(screen.getByText(/A replaced address still works/)).toBeTruthy()
    expect(server.bodiesOf(rotate)).toEqual([{ grace_seconds: 86_400 }])
  })

  it('are listed, filtered by state, and replayed if they failed', async () => {
    const replay = `POST ${REQUESTS}/replay`
    const message = 'The request has no person at "email".'
    const requests = [
      webhookRequest({ id: 2, state: 'failed', message, size: 4100 }),
      webhookRequest({ id: 1 }),
    ]
    const { user, server } = await openRequests(webhookConfig(), requests, {
      [replay]: { replayed: 1 },
    })

    const list = await screen.findByRole('list', { name: 'Requests' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
    await user.click(screen.getByLabelText('Failed'))
    await waitFor(() => expect(screen.queryByText('512 B')).toBeNull())
    expect(screen.getByText(message)).toBeTruthy()
    expect(screen.getByText('4.1 kB')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Replay failed (1)' }))

    await waitFor(() => expect(server.bodiesOf(replay)).toEqual([{ state: 'failed' }]))
  })

  it('name their runs', async () => {
    stubEventSource()
    const handled = run({ kind: 'schedule', name: 'onRequest' })
    await openPage('/project/1/apps/1?tab=runs', configRoutes([webhookConfig()], handled))

    expect(await within(await screen.findByRole('tabpanel')).findByText('Requests')).toBeTruthy()
  })
})
