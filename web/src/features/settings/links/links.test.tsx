import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { OrganizationLink } from '#server/features/dashboards/links/schema.ts'
import { ME, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { Routes } from '../../../test/server.ts'

const HERE = '/api/organizations/@current'
const LINKS = `${HERE}/public_links`
const AT = '2026-01-05T10:00:00.000Z'

const link = (fields: Partial<OrganizationLink> = {}): OrganizationLink => ({
  id: 1,
  label: 'Investors',
  access_token: 'one',
  is_first: false,
  enabled: true,
  state: 'open',
  audience: 'anyone',
  starts_at: null,
  expires_at: null,
  ends_at: null,
  max_views: null,
  shows_annotations: true,
  allows_exports: true,
  embed_origins: null,
  viewer_filters: null,
  snapshot_at: null,
  views: 3,
  last_viewed_at: null,
  created_by: null,
  created_at: AT,
  dashboard: { id: 7, name: 'Sales' },
  insight: null,
  project: { id: 2, name: 'Shop' },
  ...fields,
})

const open = (routes: Routes = {}) =>
  openPage('/project/1/settings/links', {
    [`GET ${LINKS}`]: pageOf(
      link(),
      link({
        id: 2,
        label: '',
        is_first: true,
        state: 'ended',
        audience: 'password',
        ends_at: AT,
        dashboard: { id: 8, name: '' },
      }),
    ),
    ...routes,
  })

describe('the public links of an organization', () => {
  it('show where they lead, how often they were opened, and why they do not open', async () => {
    await open()

    const name = await screen.findByRole('link', { name: 'Sales' })
    expect(name.getAttribute('href')).toBe('/project/2/dashboards/7')
    const [first, second] = within(screen.getByRole('region', { name: 'All public links' }))
      .getAllByRole('listitem')
      .map((row) => row.textContent)
    expect(first).toBe('SalesInvestors · Shop · 3 views')
    expect(second).toMatch(/^UntitledFirst link · Shop · 3 views · ended .*PasswordEnded$/)
  })

  it('are revoked together', async () => {
    const { user, server } = await open({ [`POST ${LINKS}/revoke`]: { revoked: 2 } })
    await user.click(await screen.findByLabelText('Select Investors of Sales'))
    await user.click(screen.getByLabelText('Select First link of Untitled'))

    await user.click(screen.getByRole('button', { name: 'Revoke 2 links…' }))
    await user.click(await screen.findByRole('button', { name: 'Revoke links' }))

    await waitFor(() => expect(server.bodiesOf(`POST ${LINKS}/revoke`)).toEqual([{ ids: [1, 2] }]))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Revoke/ })).toBeNull())
  })

  it('say so if there are none', async () => {
    await open({ [`GET ${LINKS}`]: pageOf() })

    expect(await screen.findByText('Nothing is public')).toBeTruthy()
  })

  it('are not for members', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    await open({ 'GET /api/users/@me': { ...ME, organization } })

    expect(await screen.findByRole('navigation', { name: 'Settings' })).toBeTruthy()
    expect(screen.queryByText('Public links')).toBeNull()
  })
})

describe('rules for public links', () => {
  it('are saved, with no longest time if the field is empty', async () => {
    const { user, server } = await open({ [`PATCH ${HERE}`]: ME.organization })
    await user.click(await screen.findByRole('switch', { name: /^Require a password/ }))

    await user.click(screen.getByRole('button', { name: 'Save rules' }))

    await waitFor(() =>
      expect(server.bodiesOf(`PATCH ${HERE}`)).toEqual([
        {
          allow_publicly_shared_resources: true,
          public_links_require_password: true,
          public_link_max_days: null,
        },
      ]),
    )
  })

  it('cannot ask for a password where no links are allowed', async () => {
    const { user } = await open()

    await user.click(await screen.findByRole('switch', { name: /^Allow public links/ }))

    expect(screen.getByRole<HTMLInputElement>('switch', { name: /^Require/ }).disabled).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>('Longest time in days').disabled).toBe(true)
  })
})
