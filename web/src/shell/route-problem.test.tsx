import { screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { renderInApp } from '../test/render.tsx'
import { RouteProblem } from './route-problem.tsx'

const show = (message: string) =>
  renderInApp(<RouteProblem error={new TypeError(message)} reset={() => undefined} />)

it('asks to reload the page if its code is gone, because the server was updated', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  onTestFinished(() => reload.mockRestore())
  const { user } = await show(
    'Failed to fetch dynamically imported module: http://localhost/assets/share-content-x.js',
  )

  expect(screen.queryByText(/assets/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Reload page' }))

  expect(reload).toHaveBeenCalledOnce()
})

it('says that the user is offline', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => onLine.mockRestore())

  await show('Failed to fetch dynamically imported module: http://localhost/assets/x.js')

  expect(screen.getByText('You are offline.')).toBeTruthy()
})

it('shows other problems as they are', async () => {
  await show('Out of order')

  expect(screen.getByText('Out of order')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
