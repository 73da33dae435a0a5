import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../../test/fixtures.ts'
import { openPage } from '../../../../test/render.tsx'
import type { FakeRequest, Routes } from '../../../../test/server.ts'

const QUERY = 'POST /api/projects/1/query'

const NAMES: Readonly<Record<string, string>> = {
  event: '$browser',
  person: 'plan',
  session: '$channel_type',
}

const ROUTES: Routes = {
  [QUERY]: { results: [], is_cached: false, last_refresh: '2026-01-05T10:00:00.000Z' },
  'GET /api/projects/1/event_definitions': pageOf(),
  'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
    pageOf({ name: NAMES[query.get('type') ?? ''] }),
  'GET /api/projects/1/groups_types': [],
  'GET /api/projects/1/cohorts': pageOf({ id: 3, name: 'Paying' }, { id: 4, name: 'Trial' }),
  'GET /api/environments/1/dashboards': pageOf(),
}

async function openBreakdown(tab: string) {
  const opened = await openPage('/project/1/insights/new', ROUTES)
  await opened.user.click(await screen.findByRole('tab', { name: tab }))
  const choose = async (field: string, option: string) => {
    await opened.user.click(await screen.findByRole('combobox', { name: field }))
    await opened.user.click(await screen.findByRole('option', { name: option }))
  }
  const last = () => {
    const body = opened.server.bodiesOf(QUERY).at(-1)
    return (body as { query: { source: { breakdownFilter?: object } } }).query.source
      .breakdownFilter
  }
  return { ...opened, choose, last }
}

describe('a breakdown by properties', () => {
  it('offers a property once', async () => {
    const { user, choose } = await openBreakdown('Trends')

    await choose('Break down by', 'Browser $browser')
    await user.click(await screen.findByRole('combobox', { name: 'Then by' }))

    expect(await screen.findByRole('option', { name: 'plan' })).toBeTruthy()
    expect(screen.queryByRole('option', { name: 'Browser $browser' })).toBeNull()
  })
})

describe('a breakdown by persons', () => {
  it('is by the column of events that names them', async () => {
    const { choose, last } = await openBreakdown('Trends')

    await choose('Break down by', 'Person person_id')

    const breakdown = { breakdown_type: 'event_metadata', breakdown: 'person_id' }
    await waitFor(() => expect(last()).toEqual(breakdown))
  })
})

describe('a breakdown by cohorts', () => {
  it.each(['Trends', 'Funnel'])('compares chosen cohorts with all persons: %s', async (tab) => {
    const { choose, last } = await openBreakdown(tab)

    await choose('Break down by', 'Cohort')
    await waitFor(() => expect(last()).toEqual({ breakdown_type: 'cohort', breakdown: ['all'] }))
    await choose('Cohorts', 'Trial')

    await waitFor(() => expect(last()).toEqual({ breakdown_type: 'cohort', breakdown: ['all', 4] }))
    expect(screen.queryByRole('combobox', { name: 'Then by' })).toBeNull()
  })

  it('gives way to a property', async () => {
    const { choose, last } = await openBreakdown('Trends')
    await choose('Break down by', 'Cohort')

    await choose('Break down by', 'Browser $browser')

    await waitFor(() => expect(last()).toEqual({ breakdown_type: 'event', breakdown: '$browser' }))
    expect(screen.queryByRole('combobox', { name: 'Cohorts' })).toBeNull()
  })
})
