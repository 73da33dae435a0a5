import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { DraftOutcome, DraftResponse } from '#server/features/import-apps/drafts/schema.ts'
import { stubEventSource } from '../../../test/event-source.ts'
import { fill } from '../../../test/fill.ts'
import { ME } from '../../../test/fixtures.ts'
import { CONFIGS, config, configRoutes, PLUGINS, plugin } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../../test/server.ts'

const PAGE = '/project/1/apps/connector'
const DRAFTS = '/api/organizations/@current/plugin_drafts'
const FETCH = `POST ${DRAFTS}/fetch`
const TEST = `POST ${DRAFTS}/test`
const URL = 'https://api.example.com/v1/orders'

const responseOf = (content: unknown, fields: Partial<DraftResponse> = {}): DraftResponse => ({
  url: URL,
  status: 200,
  content_type: 'application/json',
  link: '',
  body: typeof content === 'string' ? content : JSON.stringify(content),
  ...fields,
})

const ORDERS = responseOf({
  next: null,
  orders: [{ id: 7, who: 'ada', at: '2026-01-01' }],
  old: [1],
})

const OUTCOME: DraftOutcome = {
  state: 'succeeded',
  message: '',
  count: 1,
  skipped_count: 1,
  events: [
    { event: 'orders', distinct_id: 'ada', timestamp: '2026-01-01T00:00:00.000Z', properties: {} },
  ],
  skipped: [{ reason: 'no person ID in "who".', row: '{}' }],
  log: [],
}

async function openResponse(routes: Routes) {
  const opened = await openPage(PAGE, { ...configRoutes([]), [FETCH]: ORDERS, ...routes })
  await fill(opened.user, await screen.findByLabelText(/^Address/), URL)
  await opened.user.click(screen.getByRole('button', { name: 'Get response' }))
  return opened
}

async function use(
  user: Awaited<ReturnType<typeof openPage>>['user'],
  path: string,
  action: string,
) {
  await user.click(await screen.findByRole('button', { name: `Use ${path}` }))
  await user.click(await screen.findByRole('menuitem', { name: action }))
}

const isDisabled = (name: string) =>
  screen.getByRole<HTMLButtonElement>('button', { name }).disabled

describe('the builder of connectors', () => {
  it('finds the list, ID and pages, and needs a person', async () => {
    const { user, server } = await openResponse({ [TEST]: OUTCOME })

    const mapping = within(await screen.findByLabelText('Mapping'))
    expect(mapping.getByText('orders')).toBeTruthy()
    expect(mapping.getByText('id')).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('Path of the cursor').value).toBe('next')
    expect(isDisabled('Test')).toBe(true)
    expect(screen.getByText('Choose the value that identifies the person.')).toBeTruthy()
    await use(user, 'orders.0.who', 'Use as person')
    expect(screen.queryByLabelText('Parameter for new records')).toBeNull()
    await use(user, 'orders.0.at', 'Use as time')
    await fill(user, screen.getByLabelText('Parameter for new records'), 'since')
    await user.click(screen.getByRole('button', { name: 'Test' }))

    const test = within(await screen.findByRole('region', { name: 'Test' }))
    expect(await test.findByText('ada')).toBeTruthy()
    expect(test.getByText('Skipped rows: 1')).toBeTruthy()
    const [sent] = server.bodiesOf(TEST) as { files: Record<string, string>; settings: object }[]
    expect(sent?.files['connector.yaml']).toContain('person: who')
    expect(sent?.files['connector.yaml']).toContain('time: at')
    expect(sent?.files['connector.yaml']).toContain('parameter: since')
  })

  it('has filters, partitions and hosts', async () => {
    const next = 'https://pages.example.com/v1/orders?page=2'
    const { user, server } = await openResponse({
      [FETCH]: responseOf({ next, orders: [{ id: 7, who: 'ada', state: 'paid' }] }),
      [TEST]: OUTCOME,
    })
    await use(user, 'orders.0.who', 'Use as person')
    expect(screen.getByLabelText<HTMLInputElement>('Other hosts').value).toBe('pages.example.com')

    await use(user, 'orders.0.state', 'Use as filter')
    await user.click(screen.getByRole('button', { name: 'Add condition' }))
    expect(screen.getByText('Enter the path of each condition.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Remove condition 2' }))
    await user.click(screen.getByRole('button', { name: 'Add partition' }))
    await fill(user, screen.getByLabelText('Values of partition 1'), ', v2')
    await user.click(screen.getByRole('button', { name: 'Test' }))

    await screen.findByRole('region', { name: 'Test' })
    const [sent] = server.bodiesOf(TEST) as { files: Record<string, string> }[]
    const connector = parse(sent?.files['connector.yaml'] ?? '')
    expect(connector.hosts).toEqual(['pages.example.com'])
    expect(connector.streams[0]).toMatchObject({
      path: '/{{partition.path_1}}/orders',
      partitions: [{ name: 'path_1', values: ['v1', 'v2'] }],
      filter: [{ path: 'state', is: 'paid' }],
    })
  })

  it('changes fields, and shows the first record after each step', async () => {
    const { user, server } = await openResponse({
      [FETCH]: responseOf([{ email: 'ada@example.com', total: '12.5', note: 'x' }]),
      [TEST]: OUTCOME,
    })
    const choose = async (label: string, option: string) => {
      await user.click(await screen.findByRole('combobox', { name: label }))
      await user.click(await screen.findByRole('option', { name: option }))
    }
    const addStep = async (n: number, kind: string, field: string) => {
      await user.click(await screen.findByRole('button', { name: 'Add step' }))
      await choose(`Kind of step ${n}`, kind)
      await fill(user, screen.getByRole('combobox', { name: `Field of step ${n}` }), field)
    }

    await addStep(1, 'Rename', 'email')
    expect(isDisabled('Test')).toBe(true)
    expect(screen.getByText('Complete each step.')).toBeTruthy()
    await fill(user, screen.getByLabelText('New name of step 1'), 'who')
    await addStep(2, 'Cast', 'total')
    await addStep(3, 'Remove', 'note')
    await addStep(4, 'Add', 'source')
    await fill(user, screen.getByLabelText('Value of step 4'), 'shop')

    const record = within(screen.getByRole('region', { name: 'First record' }))
    expect(record.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'whoada@example.com',
      'total12.5',
      'sourceshop',
    ])
    await choose('Type of step 2', 'to true or false')
    expect(record.getByText('null')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Remove step 2' }))
    await user.click(screen.getByRole('button', { name: 'Test' }))

    await screen.findByRole('region', { name: 'Test' })
    const [sent] = server.bodiesOf(TEST) as { files: Record<string, string> }[]
    expect(parse(sent?.files['connector.yaml'] ?? '').streams[0]).toMatchObject({
      transform: [{ rename: { email: 'who' } }, { remove: ['note'] }, { add: { source: 'shop' } }],
      to: { person: 'who' },
    })
  })

  it('reads the list for each record of a parent, whose key it finds', async () => {
    const address = 'https://api.example.com/v1/shops/7/orders'
    const respond = ({ body }: FakeRequest) => {
      const { url } = body as { url: string }
      if (url === address) return responseOf([{ email: 'ada', state: 'paid' }])
      return url.endsWith('/shops')
        ? responseOf({ shops: [{ id: 6 }, { id: 7, name: 'North' }], next: null })
        : responseOf({ error: 'unknown' }, { status: 404 })
    }
    const { user, server } = await openPage(PAGE, {
      ...configRoutes([]),
      [FETCH]: respond,
      [TEST]: OUTCOME,
    })
    await fill(user, await screen.findByLabelText(/^Address/), address)
    await user.click(screen.getByRole('button', { name: 'Get response' }))

    await user.click(await screen.findByRole('button', { name: 'Add parent' }))
    const input = screen.getByLabelText<HTMLInputElement>('Address of parent 1')
    expect(input.value).toBe('https://api.example.com/v1/shops')
    await fill(user, input, '/lost')
    await user.click(screen.getByRole('button', { name: 'Get list' }))
    await screen.findByText(/^The response has status 404 and no list of records/)
    await user.clear(input)
    await fill(user, input, 'https://api.example.com/v1/shops')
    await user.click(screen.getByRole('button', { name: 'Get list' }))

    const parent = within(await screen.findByRole('group', { name: 'Parent: shops' }))
    expect(parent.getByDisplayValue('id = 7')).toBeTruthy()
    expect(parent.getByDisplayValue('/7')).toBeTruthy()
    expect(parent.getByLabelText<HTMLInputElement>('Path of the cursor').value).toBe('next')
    await user.click(screen.getByRole('button', { name: 'Add step' }))
    await user.click(screen.getByRole('combobox', { name: 'Kind of step 1' }))
    await user.click(await screen.findByRole('option', { name: 'Add' }))
    await fill(user, screen.getByRole('combobox', { name: 'Field of step 1' }), 'shop')
    await fill(user, screen.getByLabelText('Value of step 1'), '{{shops.name}}')
    const record = within(screen.getByRole('region', { name: 'First record' }))
    expect(record.getByText('North')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Test' }))

    await screen.findByRole('region', { name: 'Test' })
    const [sent] = server.bodiesOf(TEST) as { files: Record<string, string> }[]
    expect(parse(sent?.files['connector.yaml'] ?? '').streams).toMatchObject([
      { name: 'shops', path: '/v1/shops', records: 'shops' },
      { name: 'orders', parent: { stream: 'shops' }, path: '/v1/shops/{{shops.id}}/orders' },
    ])
    await user.click(screen.getByRole('button', { name: 'Remove parent 1' }))
    expect(screen.queryByRole('group', { name: 'Parent: shops' })).toBeNull()
  })

  it('reads another list, whose records have other values', async () => {
    const { user } = await openResponse({})

    await use(user, 'old', 'Use as list')

    const mapping = within(screen.getByLabelText('Mapping'))
    expect(mapping.getByText('old')).toBeTruthy()
    expect(mapping.queryByText('id')).toBeNull()
  })

  it('sends the key with requests and tests, and hides results of an older draft', async () => {
    const failed = { ...OUTCOME, state: 'failed' as const, message: 'Wrong key', events: [] }
    const { user, server } = await openPage(PAGE, {
      ...configRoutes([]),
      [FETCH]: responseOf([{ email: 'a' }]),
      [TEST]: failed,
    })
    await fill(user, await screen.findByLabelText(/^Address/), URL)
    await user.click(screen.getByRole('combobox', { name: 'Key' }))
    await user.click(await screen.findByRole('option', { name: 'Header' }))
    await fill(user, screen.getByLabelText('Header'), 'X-Key')
    await fill(user, screen.getByLabelText('Value of the key'), 's3cret')
    await user.click(screen.getByRole('button', { name: 'Get response' }))
    await user.click(await screen.findByRole('button', { name: 'Test' }))

    await screen.findByText('Wrong key')
    expect(server.bodiesOf(FETCH)).toEqual([
      { url: URL, key: { header: { name: 'X-Key', value: 's3cret' } } },
    ])
    expect(server.bodiesOf(TEST)).toMatchObject([{ settings: { key: 's3cret' } }])
    await fill(user, screen.getByLabelText('Name of the event'), 'other')
    await waitFor(() => expect(screen.queryByText('Wrong key')).toBeNull())
  })

  it.each([
    ['an error of the API', { status: 401 }, 'The API responded with status 401.'],
    ['a page', { body: '<html>' }, 'The response is not JSON with a list.'],
  ])('explains %s', async (_, fields, message) => {
    await openResponse({ [FETCH]: responseOf({ error: 'no' }, fields) })

    expect(await screen.findByText(message, { exact: false })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Test' })).toBeNull()
  })

  it('explains an address that cannot be reached', async () => {
    const detail = 'api.example.com is not a public address.'
    await openResponse({ [FETCH]: problem(400, detail, 'url') })

    expect(await screen.findByText(detail)).toBeTruthy()
  })

  it('saves the app with its key and opens it', async () => {
    stubEventSource()
    const { user, server } = await openResponse({
      ...configRoutes([config()]),
      [FETCH]: responseOf([{ email: 'a' }]),
      [`POST ${PLUGINS}`]: plugin({ id: 9 }),
      [`POST ${CONFIGS}`]: config(),
    })

    await user.click(await screen.findByRole('button', { name: 'Save as app' }))

    await screen.findByRole('heading', { name: 'Mine', level: 1 })
    expect(server.bodiesOf(`POST ${PLUGINS}`)).toMatchObject([{ plugin_type: 'source' }])
    expect(server.bodiesOf(`POST ${CONFIGS}`)).toEqual([{ plugin: 9, enabled: false, config: {} }])
  })

  it('is for admins', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    await openPage(PAGE, { ...configRoutes([]), 'GET /api/users/@me': { ...ME, organization } })

    expect(await screen.findByText('Only admins can install apps.')).toBeTruthy()
  })
})
