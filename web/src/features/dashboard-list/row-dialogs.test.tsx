import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fill } from '../../test/fill.ts'
import { dashboardItem } from '../../test/fixtures.ts'
import { renderInApp } from '../../test/render.tsx'
import { problem } from '../../test/server.ts'
import { RenameDialog } from './row-dialogs.tsx'

const PATCH = 'PATCH /api/environments/1/dashboards/1'

describe('rename dialog', () => {
  it('saves name and description, then closes', async () => {
    const onClose = vi.fn()
    const { user, server } = await renderInApp(
      <RenameDialog item={dashboardItem({ name: 'Growth' })} onClose={onClose} />,
      { routes: { [PATCH]: {} } },
    )

    await user.clear(screen.getByLabelText(/Name/))
    await fill(user, screen.getByLabelText(/Name/), 'Revenue')
    await fill(user, screen.getByLabelText('Description'), 'Monthly')
    await user.click(screen.getByRole('button', { name: 'Save' }))

    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(server.bodiesOf(PATCH)).toEqual([{ name: 'Revenue', description: 'Monthly' }])
  })

  it('stays open and explains why the server refused the change', async () => {
    const onClose = vi.fn()
    const { user } = await renderInApp(<RenameDialog item={dashboardItem()} onClose={onClose} />, {
      routes: { [PATCH]: problem(403, 'You cannot edit this dashboard.') },
    })

    await user.click(screen.getByRole('button', { name: 'Save' }))

    expect(await screen.findByText('You cannot edit this dashboard.')).toBeTruthy()
    expect(onClose).not.toHaveBeenCalled()
  })
})
