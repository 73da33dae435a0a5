import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ME, NO_BACKUPS, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { Routes } from '../../../test/server.ts'

const BACKUPS = 'GET /api/organizations/@current/backups'
const LATE = { [BACKUPS]: { ...NO_BACKUPS, is_late: true } }

const openActivity = (routes: Routes) =>
  openPage('/project/1/activity', {
    'GET /api/projects/1/members': pageOf(),
    'GET /api/projects/1/activity_log': pageOf(),
    ...routes,
  })

const NOTICE = 'The last backup is too old.'
const findNotice = () => screen.findByText(NOTICE, { exact: false })
const queryNotice = () => screen.queryByText(NOTICE, { exact: false })

/** Opens a page and waits until the state of the backups has been read. */
async function openKnowing(routes: Routes): Promise<void> {
  const { server } = await openActivity(routes)
  await vi.dynamicImportSettled()
  await waitFor(() => expect(server.bodiesOf(BACKUPS)).toHaveLength(1))
  await act(() => new Promise((resolve) => setTimeout(resolve)))
}

beforeEach(() => sessionStorage.clear())

describe('the notice of a late backup', () => {
  it('leads to the settings, which tell more', async () => {
    const { user, address } = await openActivity(LATE)
    await findNotice()

    await user.click(screen.getByRole('link', { name: 'Open backup settings' }))

    await waitFor(() => expect(address()).toBe('/project/1/settings/backups'))
    expect(await screen.findByRole('heading', { name: 'Backups' })).toBeTruthy()
    expect(queryNotice()).toBeNull()
  })

  it('does not return in a tab where it was dismissed', async () => {
    const { user } = await openActivity(LATE)
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }))
    expect(queryNotice()).toBeNull()

    cleanup()
    await openKnowing(LATE)

    expect(queryNotice()).toBeNull()
  })

  it('does not show while backups are on time', async () => {
    await openKnowing({})

    expect(queryNotice()).toBeNull()
  })

  it('is not for members, who cannot read the state of backups', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    const { server } = await openActivity({
      ...LATE,
      'GET /api/users/@me': { ...ME, organization },
    })
    await vi.dynamicImportSettled()

    expect(server.bodiesOf(BACKUPS)).toHaveLength(0)
    expect(queryNotice()).toBeNull()
  })
})
