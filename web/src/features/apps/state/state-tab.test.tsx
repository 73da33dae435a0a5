import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { stubEventSource } from '../../../test/event-source.ts'
import { CONFIGS, config, configRoutes, state } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem } from '../../../test/server.ts'

const PAGE = '/project/1/apps/1?tab=state'
const PUT = `PUT ${CONFIGS}/1/state`
const DELETE = `DELETE ${CONFIGS}/1/state`

const routes = () => configRoutes([config()])

async function openState(more: Record<string, unknown>) {
  stubEventSource()
  const page = await openPage(PAGE, { ...routes(), ...more })
  return { ...page, field: await screen.findByLabelText<HTMLTextAreaElement>('State as JSON') }
}

describe('the state of an import app', () => {
  it('is changed in the version that was shown', async () => {
    const { user, server, field } = await openState({ [PUT]: state() })

    expect(JSON.parse(field.value)).toEqual({ cursor: '2026-01-05' })
    fireEvent.change(field, { target: { value: '{"cursor":"2025-01-01"}' } })
    await user.click(screen.getByRole('button', { name: 'Save state' }))

    await waitFor(() =>
      expect(server.bodiesOf(PUT)).toEqual([{ version: 3, state: { cursor: '2025-01-01' } }]),
    )
  })

  it('cannot be saved while it is not a JSON object', async () => {
    const { field } = await openState({})

    fireEvent.change(field, { target: { value: '[1]' } })

    expect(await screen.findByText('Enter a JSON object.')).toBeTruthy()
    const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save state' })
    expect(save.disabled).toBe(true)
  })

  it('says why it was not changed', async () => {
    const detail = 'The state has version 4, not 3. Read it again.'
    const { user, field } = await openState({ [PUT]: problem(412, detail, 'version') })

    fireEvent.change(field, { target: { value: '{}' } })
    await user.click(screen.getByRole('button', { name: 'Save state' }))

    expect(await screen.findByText(detail)).toBeTruthy()
  })

  it('is reset after a question', async () => {
    const { user, server } = await openState({ [DELETE]: undefined })

    await user.click(screen.getByRole('button', { name: 'Reset state' }))
    const dialog = await screen.findByRole('dialog', { name: 'Reset state?' })
    await user.click(
      [...dialog.querySelectorAll('button')].find(
        (each) => each.textContent === 'Reset state',
      ) as HTMLElement,
    )

    await waitFor(() => expect(server.bodiesOf(DELETE)).toHaveLength(1))
  })
})
