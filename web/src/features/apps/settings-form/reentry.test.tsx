import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import { stubEventSource } from '../../../test/event-source.ts'
import { CONFIGS, config, configRoutes } from '../../../test/import-apps.ts'
import { openPage } from '../../../test/render.tsx'
import { problem, type Routes } from '../../../test/server.ts'

const PATCH = `PATCH ${CONFIGS}/1`
const FIELDS: ConfigField[] = [
  { key: 'url', name: 'URL', type: 'string', address: true },
  { key: 'token', name: 'Token', type: 'string', secret: true },
  { key: 'note', name: 'Note', type: 'string' },
]
const EXPLANATION = 'You changed URL, which may send this secret elsewhere. Enter it again.'

async function openSettings(fields: readonly ConfigField[], routes: Routes = {}) {
  stubEventSource()
  const stored = { url: 'https://api.test', token: '******', note: 'n' }
  const shown = config(
    { config: JSON.stringify(stored), enabled: false },
    { config_schema: fields },
  )
  const page = await openPage('/project/1/apps/1', {
    ...configRoutes([shown]),
    [PATCH]: shown,
    ...routes,
  })
  await screen.findByLabelText('URL')
  const save = () => page.user.click(screen.getByRole('button', { name: 'Save settings' }))
  return { ...page, save }
}

describe('secrets of a config whose destination changes', () => {
  it('are required with a reason before the form is sent', async () => {
    const { user, server, save } = await openSettings(FIELDS)

    await user.type(screen.getByLabelText('URL'), '/v2')
    expect(screen.getByText(EXPLANATION)).toBeTruthy()
    await save()

    expect(await screen.findByText('Enter it again.')).toBeTruthy()
    expect(server.bodiesOf(PATCH)).toEqual([])
    await user.type(screen.getByPlaceholderText('Enter it again'), 'new')
    await save()
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
    const sent = JSON.parse(String((server.bodiesOf(PATCH)[0] as FormData).get('config')))
    expect(sent).toMatchObject({ url: 'https://api.test/v2', token: 'new' })
  })

  it('are kept when other settings change, or the URL is changed back', async () => {
    const { user, save } = await openSettings(FIELDS)

    await user.type(screen.getByLabelText('Note'), '!')
    await user.type(screen.getByLabelText('URL'), 'x{Backspace}')

    expect(screen.queryByText(EXPLANATION)).toBeNull()
    await save()
    expect(await screen.findByText('Settings saved.')).toBeTruthy()
  })

  it('can be removed instead', async () => {
    const { user, save } = await openSettings(FIELDS)

    await user.type(screen.getByLabelText('URL'), '/v2')
    await user.click(screen.getByRole('button', { name: 'Remove Token' }))
    await save()

    expect(await screen.findByText('Settings saved.')).toBeTruthy()
  })

  it('show the error of the server at their field', async () => {
    const detail = 'A change of note may send secrets elsewhere.'
    const { user, save } = await openSettings(
      FIELDS.map(({ address, ...field }) => field),
      { [PATCH]: problem(400, detail, 'token') },
    )

    await user.type(screen.getByLabelText('Note'), '!')
    await save()

    expect(await screen.findByText(detail)).toBeTruthy()
  })
})
