import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { renderInApp } from '../../test/render.tsx'
import { problem } from '../../test/server.ts'
import { RemoveDemo } from './settings-panel.tsx'

const DELETE = 'DELETE /api/projects/1/demo_data'

it('removes demo data from Settings, and can be repeated after a failure', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  onTestFinished(() => assign.mockRestore())
  const { user, server } = await renderInApp(<RemoveDemo />, {
    routes: { [DELETE]: problem(409, 'The import of the demo data is still stopping.') },
  })
  const remove = async () => {
    await user.click(await screen.findByRole('button', { name: 'Remove demo data…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove demo data?' }))
    await user.click(dialog.getByRole('button', { name: 'Remove demo data' }))
  }

  await remove()
  await screen.findByText('The import of the demo data is still stopping.')
  expect(assign).not.toHaveBeenCalled()
  server.reply({ [DELETE]: null })
  await remove()

  await waitFor(() => expect(assign).toHaveBeenCalledWith('/project/1/dashboards'))
})
