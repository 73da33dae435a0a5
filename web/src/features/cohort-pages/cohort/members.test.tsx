import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ME, pageOf } from '../../../test/fixtures.ts'
import { person } from '../../../test/persons.ts'
import { openPage } from '../../../test/render.tsx'

const COHORT = '/api/projects/1/cohorts/7'
const REMOVE = `PATCH ${COHORT}/remove_person_from_static_cohort`
const ADD = `PATCH ${COHORT}/add_persons_to_static_cohort`

const cohort = (is_static: boolean, count: number) => ({
  id: 7,
  name: 'Friends',
  description: '',
  is_static,
  count,
  filters: {},
  deleted: false,
  is_calculating: false,
  created_at: '2026-01-05T10:00:00.000Z',
  created_by: ME,
})

const ada = person(1)

const open = (isStatic: boolean) =>
  openPage('/project/1/cohorts/7', {
    [`GET ${COHORT}`]: cohort(isStatic, 1),
    [`GET ${COHORT}/persons`]: pageOf(ada),
    [REMOVE]: cohort(isStatic, 0),
    [ADD]: cohort(isStatic, 1),
  })

describe('members of a static cohort', () => {
  it('are removed one by one, which can be undone', async () => {
    const { user, server } = await open(true)

    await user.click(await screen.findByRole('button', { name: `Remove ${ada.name}` }))

    await waitFor(() => expect(server.bodiesOf(REMOVE)).toEqual([{ person_id: ada.uuid }]))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodiesOf(ADD)).toEqual([{ person_ids: [ada.uuid] }]))
  })

  it('cannot be removed from a dynamic cohort', async () => {
    await open(false)

    await screen.findByRole('link', { name: ada.name })

    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  })
})
