import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import { stubEventSource } from '../../../test/event-source.ts'
import { fill } from '../../../test/fill.ts'
import { CONFIGS, config, configRoutes, run } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { type FakeServer, problem, type Routes } from '../../../test/server.ts'

const PATCH = `PATCH ${CONFIGS}/1`

/** The settings of an enabled config whose app has these fields. */
async function openSettings(
  fields: readonly ConfigField[],
  stored: Readonly<Record<string, unknown>> = {},
  routes: Routes = {},
) {
  stubEventSource()
  const shown = config({ config: JSON.stringify(stored) }, { config_schema: fields })
  const page = await openPage('/project/1/apps/1', {
    ...configRoutes([shown]),
    [PATCH]: shown,
    ...routes,
  })
  await screen.findByRole('heading', { name: 'Mine', level: 1 })
  return page
}

const sentSettings = (server: FakeServer) =>
  server.bodiesOf(PATCH).map((body) => JSON.parse(String((body as FormData).get('config'))))

describe('settings of an import app', () => {
  it('shows a validation error at its field and keeps the input', async () => {
    const fields = [{ key: 'mapping', name: 'Mapping', type: 'json' as const }]
    const { user } = await openSettings(
      fields,
      {},
      {
        [PATCH]: problem(400, 'Not valid JSON.', 'mapping'),
      },
    )

    await user.click(await screen.findByLabelText('Mapping'))
    await user.paste('{ "a": ')
    await user.click(screen.getByRole('button', { name: 'Save settings' }))

    expect(await screen.findByText('Not valid JSON.')).toBeTruthy()
    const mapping = screen.getByLabelText<HTMLTextAreaElement>('Mapping')
    expect(mapping.getAttribute('aria-invalid')).toBe('true')
    expect(mapping.value).toBe('{ "a": ')
    // only the input is monospaced, not its label
    const field = mapping.closest('.mantine-Textarea-root')
    expect(field?.getAttribute('style') ?? '').not.toContain('monospace')
    expect(mapping.className).toContain('code')
  })

  it('moves to the first required field that is empty', async () => {
    const { user } = await openSettings([
      { key: 'note', name: 'Note', type: 'string' },
      { key: 'shop', name: 'Shop', type: 'string', required: true },
      { key: 'street', name: 'Street', type: 'string', required: true },
    ])

    await user.click(await screen.findByRole('button', { name: 'Save settings' }))

    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/Shop/)))
  })

  it('asks before unsaved input is lost', async () => {
    const { user, address } = await openSettings([{ key: 'shop', name: 'Shop', type: 'string' }])
    await fill(user, await screen.findByLabelText('Shop'), 'corner')

    await user.click(screen.getAllByRole('link', { name: 'Import apps' }).at(-1) as HTMLElement)
    await screen.findByRole('dialog', { name: 'Discard unsaved changes?' })
    await user.click(screen.getByRole('button', { name: 'Cancel' }))

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('Shop').value).toBe('corner')
    expect(address()).toBe('/project/1/apps/1')
  })

  it('shows and requires settings that depend on others only when they apply', async () => {
    const { user, server } = await openSettings([
      { key: 'mode', name: 'Mode', type: 'choice', choices: ['all', 'new'], default: 'all' },
      { key: 'since', name: 'Since', type: 'string', required_if: [['mode', 'new']] },
      { key: 'extra', name: 'Extra', type: 'string', visible_if: [['mode', 'new']] },
    ])
    await screen.findByLabelText('Since')
    expect(screen.queryByLabelText('Extra')).toBeNull()

    await user.click(screen.getByRole('combobox', { name: 'Mode' }))
    await user.click(await screen.findByRole('option', { name: 'new' }))
    await screen.findByLabelText('Extra')
    await user.click(screen.getByRole('button', { name: 'Save settings' }))

    expect(await screen.findByText('Required.')).toBeTruthy()
    expect(sentSettings(server)).toEqual([])
    await fill(user, screen.getByLabelText(/^Since/), '2026-01-01')
    await user.click(screen.getByRole('button', { name: 'Save settings' }))

    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    expect(sentSettings(server)).toEqual([{ mode: 'new', since: '2026-01-01', extra: '' }])
  })

  it('keeps a stored secret unless it is replaced or removed', async () => {
    const { user, server } = await openSettings(
      [
        { key: 'token', name: 'Token', type: 'string', secret: true },
        { key: 'shop', name: 'Shop', type: 'string', hint: '<b>hint</b>' },
      ],
      { token: '******' },
    )
    const token = await screen.findByPlaceholderText<HTMLInputElement>(
      'Leave empty to keep the current value',
    )
    expect(token.value).toBe('')
    expect(screen.getByText('<b>hint</b>')).toBeTruthy()

    await fill(user, screen.getByLabelText('Shop'), 'corner')
    await user.click(screen.getByRole('button', { name: 'Save settings' }))
    await waitFor(() => expect(sentSettings(server)).toEqual([{ shop: 'corner' }]))
    await user.click(screen.getByRole('button', { name: 'Remove Token' }))
    await user.click(screen.getByRole('button', { name: 'Save settings' }))

    await waitFor(() => expect(sentSettings(server)[1]).toMatchObject({ token: '' }))
  })

  it('saves, enables and runs with one button', async () => {
    stubEventSource()
    const fields = [{ key: 'shop', name: 'Shop', type: 'string' as const }]
    const disabled = config({ enabled: false }, { config_schema: fields })
    const { user, server } = await openPage('/project/1/apps/1', {
      ...configRoutes([disabled], run()),
      [PATCH]: { ...disabled, enabled: true },
      [`POST ${CONFIGS}/1/job`]: run({ state: 'queued' }),
    })

    await user.click(await screen.findByRole('button', { name: 'Save, enable and run' }))

    await screen.findByRole('tab', { name: 'Runs', selected: true })
    expect((server.bodiesOf(PATCH)[0] as FormData).get('enabled')).toBe('true')
    expect(server.bodiesOf(`POST ${CONFIGS}/1/job`)).toEqual([{}])
  })
})
