import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../../../../test/fixtures.ts'
import { openPage } from '../../../../test/render.tsx'
import type { Routes } from '../../../../test/server.ts'

const QUERY = 'POST /api/projects/1/query'

const type = (index: number, group_type: string, name_plural: string | null) => ({
  group_type,
  group_type_index: index,
  name_singular: null,
  name_plural,
  created_at: '2026-01-05T10:00:00.000Z',
})

const ROUTES: Routes = {
  [QUERY]: { results: [], is_cached: false, last_refresh: '2026-01-05T10:00:00.000Z' },
  'GET /api/projects/1/event_definitions': pageOf(),
  'GET /api/projects/1/property_definitions': pageOf(),
  'GET /api/environments/1/dashboards': pageOf(),
}

async function openMeasures(routes: Routes) {
  const opened = await openPage('/project/1/insights/new', { ...ROUTES, ...routes })
  const field = await screen.findByRole('combobox', { name: 'Measure of series A' })
  await opened.user.click(field)
  const last = () => {
    const body = opened.server.bodiesOf(QUERY).at(-1)
    return (body as { query: { source: { series: object[] } } }).query.source.series[0]
  }
  return { ...opened, field, last }
}

describe('measures of a series', () => {
  it('count the groups of each type of the project', async () => {
    const types = [type(0, 'company', 'Companies'), type(2, 'team', null)]
    const { user, field, last } = await openMeasures({ 'GET /api/projects/1/groups_types': types })

    expect(await screen.findByRole('option', { name: 'Unique Companies' })).toBeTruthy()
    await user.click(screen.getByRole('option', { name: 'Unique groups (team)' }))

    await expect.poll(last).toMatchObject({ math: 'unique_group', math_group_type_index: 2 })
    await user.click(field)
    await user.click(await screen.findByRole('option', { name: 'Unique users' }))
    await expect.poll(last).toMatchObject({ math: 'dau' })
    expect(last()).not.toHaveProperty('math_group_type_index')
  })

  it('do not count groups in a project without them', async () => {
    await openMeasures({})

    expect(await screen.findByRole('option', { name: 'Unique users' })).toBeTruthy()
    expect(screen.queryByRole('option', { name: /groups/ })).toBeNull()
  })
})
