import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { EmbedSecret } from '#server/features/dashboards/embeds/schema.ts'
import { ME, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { Routes } from '../../../test/server.ts'

const SECRETS = '/api/projects/1/embed_secrets'
const SETTINGS = '/api/projects/1/embed_settings'
const NONE = { jwks_url: null, embed_origins: null }

const secret = (id: number): EmbedSecret => ({
  id,
  kid: `emb_${id}`,
  last_used_at: null,
  created_by: null,
  created_at: '2026-01-05T10:00:00.000Z',
})

const open = (routes: Routes = {}) =>
  openPage('/project/1/settings/project', {
    [`GET ${SECRETS}`]: pageOf(),
    [`GET ${SETTINGS}`]: NONE,
    ...routes,
  })

describe('the signed embeds of a project', () => {
  it('begin with a secret, which is shown once', async () => {
    const { user } = await open({
      [`POST ${SECRETS}`]: { ...secret(1), secret: 'hes_value' },
    })

    await user.click(await screen.findByRole('button', { name: 'Create secret' }))

    expect((await screen.findByTestId('shown-once')).textContent).toBe('hes_value')
    expect(screen.getByText('emb_1')).toBeTruthy()
  })

  it('rotate: with two secrets, the old one is revoked', async () => {
    const { user, server } = await open({
      [`GET ${SECRETS}`]: pageOf(secret(1), secret(2)),
      [`DELETE ${SECRETS}/1`]: null,
    })

    const rotate = await screen.findByRole('button', { name: 'Rotate secret' })
    expect((rotate as HTMLButtonElement).disabled).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Revoke emb_1' }))
    await user.click(await screen.findByRole('button', { name: 'Revoke secret' }))

    await waitFor(() => expect(server.bodiesOf(`DELETE ${SECRETS}/1`)).toHaveLength(1))
  })

  it('have websites and keys', async () => {
    const { user, server } = await open({ [`PATCH ${SETTINGS}`]: NONE })

    await user.type(await screen.findByLabelText('JWKS address (optional)'), 'https://a.example/k')
    await user.click(screen.getByRole('button', { name: 'Save settings' }))

    await waitFor(() =>
      expect(server.bodiesOf(`PATCH ${SETTINGS}`)).toEqual([
        { jwks_url: 'https://a.example/k', embed_origins: null },
      ]),
    )
  })

  it('are not shown to members', async () => {
    await open({
      'GET /api/users/@me': { ...ME, organization: { ...ME.organization, membership_level: 1 } },
    })

    await screen.findByText('Only admins and owners can edit these.')
    expect(screen.queryByText('Signed embeds')).toBeNull()
  })
})
