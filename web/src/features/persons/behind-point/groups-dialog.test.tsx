import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openNumber, QUERY, readQuery, recordDownloads } from '../../../test/behind-point.ts'
import type { FakeRequest, Routes } from '../../../test/server.ts'

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
    const { kind, search } = readQuery(body)
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
}

const open = (routes: Routes = {}) => openNumber(TREND, 'ActorsQuery', { ...ROUTES, ...routes })

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
    const files = recordDownloads()
    const { user, dialog } = await open()

    await user.click(dialog.getByRole('button', { name: 'Export CSV' }))

    await waitFor(() => expect(files).toHaveLength(1))
    const lines = (await files[0]?.text())?.split('\r\n')
    expect(lines?.slice(0, 3)).toEqual(['name,key,events', 'Acme Inc.,acme,3', 'hooli,hooli,3'])
  })
})
