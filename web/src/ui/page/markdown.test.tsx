import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderInApp } from '../../test/render.tsx'
import Markdown from './markdown.tsx'

/** DOMPurify needs a real browser: `test/browser/dashboard.view` checks links that run scripts. */
describe('Markdown', () => {
  it('shows HTML as text', async () => {
    await renderInApp(<Markdown text={'<img src="x" onerror="alert(1)">'} />)

    expect(screen.getByText('<img src="x" onerror="alert(1)">')).toBeTruthy()
    expect(document.querySelector('img')).toBeNull()
  })

  it('shows text that is nested too deeply as it was written', async () => {
    const text = '> '.repeat(20_000)

    await renderInApp(<Markdown text={`${text}deep`} />)

    expect(screen.getByText(/deep$/).closest('blockquote')).toBeNull()
  })
})
