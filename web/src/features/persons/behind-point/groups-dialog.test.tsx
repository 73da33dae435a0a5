import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { FakeRequest, Routes } from '../../../test/server.ts'

const QUERY = 'POST /api/projects/1/query'
const TYPES = 'GET /api/projects/1/groups_types'

const TREND = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'paid', math: 'unique_group', math_group_type_index: 1 }],
  dateRange: { date_from: '-7d' },
  trendsFilter: { display: 'ActionsBarValue' },
}

const group = (id: string, name = id) => [
  { id, type: 'group', name, properties: {}, created_at: '2026-01-05T10:00:00.000Z' },
  3,
]

const type = {
  group_type: 'company',
  group_type_index: 1,
  name_singular: 'Company',
  name_plural: 'Companies',
  created_at: '2026-01-05T10:00:00.000Z',
}

const ROUTES: Routes = {
  [QUERY]: ({ body }: FakeRequest) => {
    const { kind, search } = (body as { query: { kind: string; search?: string } }).query
    if (kind === 'ActorsQuery') {
      return { results: search ? [] : [group('acme', 'Acme Inc.'), group('hooli')], hasMore: false }
    }
    const action = { id: 'paid', name: 'paid', custom_name: null, order: 0, type: 'events' }
    const series = { label: 'paid', action, aggregated_value: 2, count: 2 }
    return {
      last_refresh: '2026-01-05T10:00:00.000Z',
      results: [{ ...series, data: [], days: [], labels: [] }],
    }
  },
  [TYPES]: [type],
  'GET /api/projects/1/event_definitions': pageOf(),
  'GET /api/projects/1/property_definitions': pageOf(),
  'GET /api/environments/1/dashboards': pageOf(),
}

/** Opens the dialog of the number from the data table. */
async function open(routes: Routes = {}) {
  const q = Buffer.from(JSON.stringify(TREND)).toString('base64url')
  const opened = await openPage(`/project/1/insights/new?q=${q}`, { ...ROUTES, ...routes })
  await opened.user.click(await screen.findByRole('tab', { name: 'Show data' }))
  await opened.user.click(await screen.findByRole('button', { name: '2' }))
  return { ...opened, dialog: within(await screen.findByRole('dialog')) }
}

describe('groups behind a number', () => {
  it('are listed under the name of their type, without pages and cohorts', async () => {
    const { dialog } = await open()

    expect(await screen.findByRole('dialog', { name: 'Companies: paid' })).toBeTruthy()
    expect(await dialog.findByText('Acme Inc.')).toBeTruthy()
    expect(dialog.getByText('acme')).toBeTruthy()
    expect(dialog.getByText('2 groups')).toBeTruthy()
    expect(dialog.getByRole('columnheader', { name: 'Company' })).toBeTruthy()
    expect(dialog.queryByRole('link')).toBeNull()
    expect(dialog.queryByRole('button', { name: 'Save as cohort' })).toBeNull()
    expect(dialog.getByRole('searchbox', { name: 'Search groups' })).toBeTruthy()
  })

  it('are called groups if their type has no name', async () => {
    await open({ [TYPES]: [{ ...type, name_plural: null }] })

    expect(await screen.findByRole('dialog', { name: 'Groups: paid' })).toBeTruthy()
  })

  it('are exported with their keys', async () => {
    const files: Blob[] = []
    const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob)
      return 'blob:groups'
    })
    const download = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    onTestFinished(() => {
      create.mockRestore()
      download.mockRestore()
    })
    const { user, dialog } = await open()

    await user.click(dialog.getByRole('button', { name: 'Export CSV' }))

    await waitFor(() => expect(files).toHaveLength(1))
    const lines = (await files[0]?.text())?.split('\r\n')
    expect(lines?.slice(0, 3)).toEqual(['name,key,events', 'Acme Inc.,acme,3', 'hooli,hooli,3'])
  })
})
