import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pageOf } from '../../test/fixtures.ts'
import { renderInApp } from '../../test/render.tsx'
import { AnnotationsDialog } from './annotations-dialog.tsx'

const PATH = '/api/projects/1/annotations'

const annotation = (id: number, content: string, more: object = {}) => ({
  ...{ id, content, date_marker: '2026-01-02T03:04:05.000Z', scope: 'project' },
  ...{ dashboard_id: null, dashboard_item: null, ...more },
})

const open = (...annotations: object[]) =>
  renderInApp(<AnnotationsDialog of={{ insight: 7 }} onClose={() => {}} />, {
    routes: {
      [`GET ${PATH}`]: pageOf(...annotations),
      [`POST ${PATH}`]: annotation(9, 'New'),
      [`PATCH ${PATH}/1`]: annotation(1, 'Launch'),
    },
  })

describe('annotations dialog', () => {
  it('lists the annotations that the insight shows', async () => {
    await open(
      annotation(1, 'Launch'),
      annotation(2, 'Here', { scope: 'dashboard_item', dashboard_item: 7 }),
      annotation(3, 'Elsewhere', { scope: 'dashboard_item', dashboard_item: 8 }),
      annotation(4, 'On a dashboard', { scope: 'dashboard', dashboard_id: 1 }),
    )

    expect(await screen.findByText('Launch')).toBeTruthy()
    expect(screen.getByText('Here')).toBeTruthy()
    expect(screen.queryByText('Elsewhere')).toBeNull()
    expect(screen.queryByText('On a dashboard')).toBeNull()
  })

  it('creates an annotation of the insight', async () => {
    const { user, server } = await open()
    await screen.findByText('No annotations yet.')

    await user.type(screen.getByLabelText(/Text/), 'Version 2')
    await user.click(screen.getByRole('button', { name: 'Add annotation' }))

    await waitFor(() => expect(server.bodiesOf(`POST ${PATH}`)).toHaveLength(1))
    expect(server.bodiesOf(`POST ${PATH}`)).toMatchObject([
      { content: 'Version 2', scope: 'dashboard_item', dashboard_item: 7 },
    ])
  })

  it('creates an annotation on the chosen day', async () => {
    vi.useFakeTimers({ now: new Date('2026-03-20T12:00:00Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { user, server } = await open()
    await user.type(await screen.findByLabelText(/Text/), 'Version 2')

    await user.click(screen.getByLabelText(/Time/))
    await user.click(await screen.findByRole('button', { name: '5 March 2026' }))
    await user.click(screen.getByRole('button', { name: 'Add annotation' }))

    await waitFor(() => expect(server.bodiesOf(`POST ${PATH}`)).toHaveLength(1))
    const [body] = server.bodiesOf(`POST ${PATH}`) as { date_marker: string }[]
    expect(body?.date_marker).toMatch(/^2026-03-0[456]T/) // in the time zone of the browser
  })

  it('deletes an annotation', async () => {
    const { user, server } = await open(annotation(1, 'Launch'))

    await user.click(await screen.findByRole('button', { name: 'Delete annotation: Launch' }))

    await waitFor(() => expect(server.bodiesOf(`PATCH ${PATH}/1`)).toEqual([{ deleted: true }]))
  })
})
