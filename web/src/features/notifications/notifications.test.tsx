import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { fill } from '../../test/fill.ts'
import { pageOf } from '../../test/fixtures.ts'
import { alert, delivery, subscription } from '../../test/notifications.ts'
import { openPage, renderInApp } from '../../test/render.tsx'
import { problem, type Routes } from '../../test/server.ts'
import { AlertList } from './alert-list.tsx'
import { NotificationsDrawer } from './notifications-drawer.tsx'

const ALERTS = '/api/projects/1/alerts'
const SUBSCRIPTIONS = '/api/projects/1/subscriptions'
const INSIGHTS = '/api/environments/1/insights'
const ALERT = `${ALERTS}/${alert().id}`

const TRENDS = { kind: 'TrendsQuery', series: [] }
const NO_QUERY = {}

const routes: Routes = {
  [`GET ${ALERTS}`]: pageOf(),
  [`GET ${SUBSCRIPTIONS}`]: pageOf(),
  'GET /api/environments/1/dashboards': pageOf(),
  [`GET ${ALERT}/deliveries`]: pageOf(),
  [`GET ${SUBSCRIPTIONS}/1/deliveries`]: pageOf(),
  [`GET ${INSIGHTS}`]: ({ query }: { query: URLSearchParams }) =>
    pageOf(
      ...[
        { id: 1, short_id: 'a', name: 'Orders', derived_name: null, query: TRENDS },
        { id: 2, short_id: 'b', name: 'Orders and refunds', derived_name: null, query: TRENDS },
        { id: 3, short_id: 'c', name: 'Notes on orders', derived_name: null, query: NO_QUERY },
      ].filter(({ name }) => name.includes(query.get('search') ?? '')),
    ),
  [`GET ${INSIGHTS}/1`]: { result: [{ label: 'order', data: [] }] },
  [`GET ${INSIGHTS}/2`]: {
    result: [
      { label: 'order', data: [], compare_label: 'current' },
      { label: 'refund', data: [], compare_label: 'current' },
      { label: 'order', data: [], compare_label: 'previous' },
    ],
  },
}

const openAlerts = (added: Routes = {}) => openPage('/project/1/alerts', { ...routes, ...added })

async function choose(user: UserEvent, label: string, option: string): Promise<void> {
  const dialog = screen.getAllByRole('dialog').at(-1) as HTMLElement
  await user.click(within(dialog).getByRole('combobox', { name: label }))
  await user.click(await screen.findByRole('option', { name: option }))
}

async function chooseAction(user: UserEvent, name: string, action: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await user.click(await screen.findByRole('menuitem', { name: action }))
}

/** Opens the dialog and returns its submit button. */
async function openForm(user: UserEvent, name: string): Promise<HTMLElement> {
  await user.click(await screen.findByRole('button', { name }))
  const dialog = await screen.findByRole('dialog', { name })
  return within(dialog).getByRole('button', { name })
}

describe('alerts on imports', () => {
  const ON_IMPORT = alert({
    ...{ insight: null, source: { kind: 'import', config: 3 }, resource_name: 'Shop', name: '' },
    on: ['failed', 'recovered'],
  })

  it('are listed with the others, and edited', async () => {
    const { user, server } = await openAlerts({
      [`GET ${ALERTS}`]: pageOf(ON_IMPORT),
      [`PATCH ${ALERT}`]: ON_IMPORT,
    })

    const link = await screen.findByRole('link', { name: 'Shop' })
    expect(link.getAttribute('href')).toContain('/project/1/apps/3')
    expect(screen.getByText(/A run fails, it works again · to/)).toBeTruthy()
    await chooseAction(user, 'Shop', 'Edit…')
    await user.click(await screen.findByLabelText('It is late'))
    await user.click(screen.getByRole('button', { name: 'Save alert' }))

    await waitFor(() =>
      expect(server.bodiesOf(`PATCH ${ALERT}`)).toMatchObject([
        { name: 'Shop', on: ['failed', 'recovered', 'stale'] },
      ]),
    )
  })

  it('are created from the page of the import', async () => {
    const { user, server } = await renderInApp(<AlertList of={{ config: 3, name: 'Shop' }} />, {
      routes: { ...routes, [`POST ${ALERTS}`]: { ...ON_IMPORT, signing_secret: 'whsec_x' } },
    })

    const create = await openForm(user, 'Create alert')
    await user.type(screen.getByLabelText('URL'), 'https://example.com/hook')
    await user.click(create)

    expect(await screen.findByText('whsec_x')).toBeTruthy()
    expect(server.bodiesOf(`POST ${ALERTS}`)).toEqual([
      {
        source: { kind: 'import', config: 3 },
        on: ['failed', 'stale', 'recovered'],
        targets: [{ type: 'webhook', url: 'https://example.com/hook' }],
      },
    ])
  })
})

describe('alert form', () => {
  it('offers only insights that an alert can watch', async () => {
    const { user } = await openAlerts()
    await openForm(user, 'Create alert')

    await user.click(screen.getByRole('combobox', { name: 'Insight' }))

    expect(await screen.findByRole('option', { name: 'Orders' })).toBeTruthy()
    expect(screen.queryByRole('option', { name: 'Notes on orders' })).toBeNull()
  })

  it('creates an alert after an error is shown at its field', async () => {
    const detail = 'The address is not a public one.'
    const { user, server } = await openAlerts({
      [`POST ${ALERTS}`]: problem(400, detail, 'targets__0__url'),
    })
    const submit = await openForm(user, 'Create alert')
    await choose(user, 'Insight', 'Orders')
    await user.type(screen.getByLabelText('More than'), '10')
    await fill(user, screen.getByLabelText('URL'), 'http://127.0.0.1/hook')

    await user.click(submit)
    expect(await screen.findByText(detail)).toBeTruthy()
    server.reply({
      [`POST ${ALERTS}`]: { ...alert(), signing_secret: 'whsec_1' },
      [`GET ${ALERTS}`]: pageOf(alert()),
    })
    await user.click(submit)

    expect((await screen.findByTestId('shown-once')).textContent).toBe('whsec_1')
    expect(server.bodiesOf(`POST ${ALERTS}`)[1]).toMatchObject({
      insight: 1,
      threshold: { configuration: { type: 'absolute', bounds: { upper: 10, lower: null } } },
      config: { series_index: 0, check_ongoing_interval: false },
    })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText(/Value above 2/)).toBeTruthy()
  })

  it('watches one of several series, including the current period', async () => {
    const { user, server } = await openAlerts({
      [`POST ${ALERTS}`]: { ...alert(), signing_secret: 'whsec_1' },
    })
    const submit = await openForm(user, 'Create alert')
    await choose(user, 'Insight', 'Orders and refunds')
    await waitFor(() => screen.getByRole('combobox', { name: 'Series' }))
    await choose(user, 'Series', 'refund')
    await user.type(screen.getByLabelText('More than'), '5')
    await user.click(screen.getByLabelText('Include the current period'))
    await fill(user, screen.getByLabelText('URL'), 'https://example.com/hook')
    await user.click(submit)

    await screen.findByTestId('shown-once')
    expect(server.bodiesOf(`POST ${ALERTS}`)).toMatchObject([
      { insight: 2, config: { series_index: 1, check_ongoing_interval: true } },
    ])
  })

  it('watches the first series again when another insight is chosen', async () => {
    const { user, server } = await openAlerts({
      [`POST ${ALERTS}`]: { ...alert(), signing_secret: 'whsec_1' },
    })
    const submit = await openForm(user, 'Create alert')
    await choose(user, 'Insight', 'Orders and refunds')
    await waitFor(() => screen.getByRole('combobox', { name: 'Series' }))
    await choose(user, 'Series', 'refund')
    const insight = screen.getByRole('combobox', { name: 'Insight' })
    await user.clear(insight)
    await fill(user, insight, 'Orders')
    await user.click(await screen.findByRole('option', { name: 'Orders' }))
    await user.type(screen.getByLabelText('More than'), '5')
    await fill(user, screen.getByLabelText('URL'), 'https://example.com/hook')
    await user.click(submit)

    await screen.findByTestId('shown-once')
    expect(server.bodiesOf(`POST ${ALERTS}`)).toMatchObject([
      { insight: 1, config: { series_index: 0 } },
    ])
  })

  it('watches for unusual values, without bounds', async () => {
    const { user, server } = await openAlerts({
      [`GET ${ALERTS}`]: pageOf(alert({ usual_range: { lower: 90, upper: 130.5 } })),
      [`PATCH ${ALERT}`]: alert(),
    })
    expect(await screen.findByText(/last value 1, usually 90 to 130.5/)).toBeTruthy()
    await chooseAction(user, 'Many orders', 'Edit…')
    await screen.findByLabelText('Name')
    await choose(user, 'Alert when', 'value is unusual')
    await choose(user, 'Sensitivity', 'also small deviations')
    expect(screen.queryByLabelText('More than')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save alert' }))

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.bodiesOf(`PATCH ${ALERT}`)).toMatchObject([
      {
        condition: { type: 'anomaly', sensitivity: 'high' },
        threshold: { configuration: { type: 'absolute', bounds: { upper: null, lower: null } } },
      },
    ])
  })

  it('edits name, condition, unit and recipients, and keeps the first recipient', async () => {
    const { user, server } = await openAlerts({
      [`GET ${ALERTS}`]: pageOf(alert()),
      [`PATCH ${ALERT}`]: alert(),
    })
    await chooseAction(user, 'Many orders', 'Edit…')
    const name = await screen.findByLabelText('Name')
    await user.clear(name)
    await fill(user, name, 'Growing fast')
    await choose(user, 'Alert when', 'value rises by')
    await choose(user, 'Unit', 'percent')
    await user.clear(screen.getByLabelText('More than'))
    await user.type(screen.getByLabelText('More than'), '7')
    await user.click(screen.getByRole('button', { name: 'Add recipient' }))
    await fill(
      user,
      screen.getAllByLabelText('URL').at(-1) as HTMLElement,
      'https://example.com/second',
    )
    await user.click(screen.getByRole('button', { name: 'Save alert' }))

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.bodiesOf(`PATCH ${ALERT}`)).toMatchObject([
      {
        name: 'Growing fast',
        condition: { type: 'relative_increase' },
        threshold: { configuration: { type: 'percentage', bounds: { upper: 0.07, lower: null } } },
        targets: [{ url: 'https://example.com/first' }, { url: 'https://example.com/second' }],
      },
    ])
  })
})

describe('alert', () => {
  it('says that it was not checked yet', async () => {
    await openAlerts({ [`GET ${ALERTS}`]: pageOf(alert({ last_checked_at: null })) })

    expect(await screen.findByText(/not checked yet/)).toBeTruthy()
    expect(screen.queryByText(/never/)).toBeNull()
  })

  it('describes a relative condition in percent', async () => {
    await openAlerts({
      [`GET ${ALERTS}`]: pageOf(
        alert({
          condition: { type: 'relative_increase' },
          threshold: { configuration: { type: 'percentage', bounds: { upper: 0.07 } } },
        }),
      ),
    })

    expect(await screen.findByText(/Value rises by more than 7%/)).toBeTruthy()
  })

  it('is snoozed for a day, and unsnoozed', async () => {
    const { user, server } = await openAlerts({
      [`GET ${ALERTS}`]: pageOf(alert()),
      [`PATCH ${ALERT}`]: alert(),
    })
    await screen.findByText('OK')
    server.reply({ [`GET ${ALERTS}`]: pageOf(alert({ state: 'Snoozed' })) })

    await chooseAction(user, 'Many orders', 'Snooze for 1 day')
    await screen.findByText('Snoozed')
    await chooseAction(user, 'Many orders', 'Unsnooze')

    await waitFor(() => expect(server.bodiesOf(`PATCH ${ALERT}`)).toHaveLength(2))
    const [snoozed, woken] = server.bodiesOf(`PATCH ${ALERT}`) as { snoozed_until: string }[]
    const hours = (Date.parse(snoozed?.snoozed_until ?? '') - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    expect(woken).toEqual({ snoozed_until: null })
  })

  it('retries a delivery that failed', async () => {
    const failed = delivery({ state: 'queued', error: 'Status 500' })
    const retry = `POST ${ALERT}/deliveries/${failed.id}/retry`
    const { user, server } = await openAlerts({
      [`GET ${ALERTS}`]: pageOf(alert()),
      [`GET ${ALERT}/deliveries`]: pageOf(failed),
      [retry]: delivery(),
    })
    await user.click(await screen.findByRole('button', { name: 'Delivery log for Many orders' }))
    await screen.findByText('retrying')
    server.reply({ [`GET ${ALERT}/deliveries`]: pageOf(delivery()) })

    await user.click(screen.getByRole('button', { name: 'Retry' }))

    expect(await screen.findByText('delivered')).toBeTruthy()
    expect(server.bodiesOf(retry)).toHaveLength(1)
  })
})

describe('subscription form', () => {
  it('subscribes to a chosen insight', async () => {
    const { user, server } = await openAlerts({
      [`POST ${SUBSCRIPTIONS}`]: { ...subscription(), signing_secret: 'whsec_2' },
    })
    const submit = await openForm(user, 'Create subscription')
    await user.click(screen.getByLabelText('Insight'))
    await choose(user, 'Insight', 'Orders')
    await fill(user, screen.getByLabelText('URL'), 'https://example.com/hook')
    await user.click(submit)

    await screen.findByTestId('shown-once')
    expect(server.bodiesOf(`POST ${SUBSCRIPTIONS}`)).toEqual([
      {
        insight: 1,
        title: '',
        frequency: 'weekly',
        hour: 9,
        target_type: 'webhook',
        target_value: 'https://example.com/hook',
      },
    ])
  })

  it('closes on Escape and leaves the drawer below it open', async () => {
    const onClose = vi.fn()
    const of = { dashboard: 1, name: 'Shop' }
    const { user } = await renderInApp(<NotificationsDrawer of={of} onClose={onClose} />, {
      routes,
    })
    await openForm(user, 'Create subscription')

    await user.keyboard('{Escape}')
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'Create subscription' })).toBeNull(),
    )
    expect(onClose).not.toHaveBeenCalled()
    await user.keyboard('{Escape}')

    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })
})
