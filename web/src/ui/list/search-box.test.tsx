import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '../../test/render.tsx'
import { SearchBox } from './search-box.tsx'

it('searches at once when the field is left, before a click changes the page', async () => {
  const onSearch = vi.fn()
  await renderInApp(<SearchBox label="Search" value={undefined} onSearch={onSearch} />)
  const field = screen.getByRole('searchbox', { name: 'Search' })

  fireEvent.change(field, { target: { value: ' ada ' } })
  expect(onSearch).not.toHaveBeenCalled()
  fireEvent.blur(field)

  expect(onSearch.mock.calls).toEqual([['ada']])
})
