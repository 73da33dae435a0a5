import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SecondFactor } from '#server/features/accounts/account/second-factor-schema.ts'
import type { PersonalApiKey } from '#server/features/accounts/api-keys/schema.ts'
import type { OrganizationMember } from '#server/features/accounts/members/schema.ts'
import type { Session } from '#server/features/accounts/sessions/schema.ts'
import { fill } from '../../test/fill.ts'
import { ME, PROJECT, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../test/server.ts'

const AT = '2026-01-05T10:00:00.000Z'
const MEMBERS = '/api/organizations/@current/members'
const HOSTILE = '<img src=x onerror="document.title=1">'

const member = (fields: Partial<OrganizationMember> = {}): OrganizationMember => ({
  id: ME.uuid,
  user: ME,
  level: 15,
  projects: [],
  viewer_of: [],
  joined_at: AT,
  is_2fa_enabled: false,
  ...fields,
})

const ann = { ...ME, id: 2, uuid: ME.uuid.replace(/.$/, '2'), first_name: 'Ann', last_name: '' }

const session = (fields: Partial<Session> = {}): Session => ({
  id: 'here',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36',
  address: '127.0.0.1',
  created_at: AT,
  last_used_at: AT,
  expires_at: AT,
  is_current: true,
  ...fields,
})

const apiKey = (fields: Partial<PersonalApiKey> = {}): PersonalApiKey => ({
  id: 'k1',
  label: 'Nightly report',
  description: null,
  value: null,
  mask_value: 'phx_...abcd',
  created_at: AT,
  last_used_at: null,
  last_rolled_at: null,
  expires_at: null,
  user_id: 1,
  scopes: ['dashboard:read', 'insight:read'],
  scoped_teams: [],
  scoped_organizations: [],
  is_legacy_hashing: false,
  local_dev_value: null,
  ...fields,
})

const OFF: SecondFactor = { is_enabled: false, confirmed_at: null, recovery_codes_left: 0 }

const routes: Routes = {
  [`GET ${MEMBERS}`]: pageOf(member(), member({ id: 'm2', user: ann, level: 1, projects: [1] })),
  'GET /api/organizations/@current/invites': pageOf(),
  'GET /api/users/@me/passkeys': { results: [], is_available: true },
  'GET /api/users/@me/second_factor': OFF,
  'GET /api/users/@me/sessions': pageOf(session(), session({ id: 'there', is_current: false })),
}
const AS_MEMBER: Routes = {
  'GET /api/users/@me': { ...ME, organization: { ...ME.organization, membership_level: 1 } },
}

const openSection = (section: string, added: Routes = {}) =>
  openPage(`/project/1/settings/${section}`, { ...routes, ...added })

function stubNavigation() {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  onTestFinished(() => assign.mockRestore())
  return assign
}

const inDialog = async (name: string, button: string) =>
  within(await screen.findByRole('dialog', { name })).getByRole('button', { name: button })

describe('settings', () => {
  it('names the section in the title of the tab', async () => {
    await openSection('members')

    await waitFor(() => expect(document.title).toBe('Members · Settings · Hedgerow'))
  })

  it('opens the first section at the address of the settings', async () => {
    const { address } = await openPage('/project/1/settings', routes)

    await waitFor(() => expect(address()).toBe('/project/1/settings/project'))
  })

  it.each([true, false])(
    'offers to remove demo data only if there is some: %s',
    async (is_demo) => {
      await openSection('project', { 'GET /api/projects': pageOf({ ...PROJECT, is_demo }) })
      await screen.findByRole('button', { name: 'Delete project…' })

      const remove = screen.queryByRole('button', { name: 'Remove demo data…' })
      expect(remove !== null).toBe(is_demo)
    },
  )

  it('says that a key was never used', async () => {
    await openSection('keys', { 'GET /api/personal_api_keys': [apiKey()] })

    expect(await screen.findByText(/never used/)).toBeTruthy()
    expect(screen.queryByText(/last used/)).toBeNull()
  })

  it('shows no avatars for roles, which are no persons', async () => {
    await openSection('members')

    const roles = await screen.findByRole('region', { name: 'Roles' })
    expect(within(roles).getByText('Admin')).toBeTruthy()
    expect(roles.querySelector('.mantine-Avatar-root')).toBeNull()
  })
})

describe('account settings', () => {
  it('shows a wrong current password at its field, then changes the password', async () => {
    const PASSWORD = 'POST /api/users/@me/password'
    const detail = 'The current password is wrong.'
    const { user, server } = await openSection('account', {
      [PASSWORD]: problem(400, detail, 'current_password'),
    })
    await fill(user, await screen.findByLabelText(/^Current password/), 'wrong')
    await fill(user, screen.getByLabelText(/^New password/), 'four words are long')
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText(detail)).toBeTruthy()
    server.reply({ [PASSWORD]: null })

    await user.click(screen.getByRole('button', { name: 'Change password' }))

    expect(
      await screen.findByText('Password changed. Other sessions were signed out.'),
    ).toBeTruthy()
  })

  it('deletes a passkey with the password, and a code if there is an authenticator app', async () => {
    const passkey = { id: 'p1', name: 'Laptop', created_at: AT, last_used_at: null }
    const REMOVE = 'POST /api/users/@me/passkeys/p1/remove'
    const { user, server } = await openPage('/project/1/settings/account', {
      ...routes,
      'GET /api/users/@me/passkeys': { results: [passkey], is_available: false },
      'GET /api/users/@me/second_factor': { ...OFF, is_enabled: true, confirmed_at: AT },
      [REMOVE]: null,
    })

    await user.click(await screen.findByRole('button', { name: 'Delete Laptop' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(user, dialog.getByLabelText('Current password'), 'correct horse')
    await fill(user, dialog.getByLabelText('Code'), '123456')
    await user.click(dialog.getByRole('button', { name: 'Delete passkey' }))

    expect(screen.queryByRole('button', { name: 'Create passkey…' })).toBeNull()
    const proof = { current_password: 'correct horse', code: '123456' }
    await waitFor(() => expect(server.bodiesOf(REMOVE)).toEqual([proof]))
  })

  it('signs out another session, but not the current one', async () => {
    const { user, server } = await openSection('account', {
      'DELETE /api/users/@me/sessions/there': null,
    })
    const buttons = await screen.findAllByRole('button', { name: 'Sign out Chrome on Linux' })
    expect(buttons).toHaveLength(1)

    await user.click(buttons[0] as HTMLElement)

    await waitFor(() =>
      expect(server.bodiesOf('DELETE /api/users/@me/sessions/there')).toHaveLength(1),
    )
    expect(screen.getByText('current')).toBeTruthy()
  })

  it('signs out everywhere only after confirmation', async () => {
    const EVERYWHERE = 'POST /api/sign_out/everywhere'
    const assign = stubNavigation()
    const { user, server } = await openSection('account', { [EVERYWHERE]: null })

    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere…' }))
    const confirm = await inDialog('Sign out everywhere?', 'Sign out everywhere')
    expect(server.bodiesOf(EVERYWHERE)).toEqual([])
    await user.click(confirm)

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in'))
    expect(server.bodiesOf(EVERYWHERE)).toHaveLength(1)
  })
})

describe('project settings', () => {
  it('saves name, time zone and first day of the week', async () => {
    const PATCH = 'PATCH /api/projects/1'
    const { user, server } = await openSection('project', {
      'GET /api/projects': pageOf({ ...PROJECT, week_start_day: 0 }),
      [PATCH]: PROJECT,
    })
    const name = await screen.findByLabelText(/^Name/)
    await user.clear(name)
    await user.click(name)
    await user.paste(HOSTILE)
    const zone = screen.getByRole('combobox', { name: 'Time zone' })
    await user.clear(zone)
    await fill(user, zone, 'Berlin')
    await user.click(await screen.findByRole('option', { name: 'Europe/Berlin' }))
    await user.click(screen.getByLabelText('Monday'))
    server.reply({ 'GET /api/projects': pageOf({ ...PROJECT, name: HOSTILE }) })
    await user.click(screen.getByRole('button', { name: 'Save project' }))

    expect(await screen.findByRole('button', { name: HOSTILE })).toBeTruthy()
    expect(server.bodiesOf(PATCH)).toEqual([
      {
        name: HOSTILE,
        timezone: 'Europe/Berlin',
        week_start_day: 1,
        retention_days: null,
        anonymize_ips: false,
        viewers_can_export: false,
      },
    ])
  })

  it('deletes a project only when its name is typed', async () => {
    const assign = stubNavigation()
    const { user, server } = await openSection('project', { 'DELETE /api/projects/1': null })
    await user.click(await screen.findByRole('button', { name: 'Delete project…' }))
    const confirm = await inDialog('Delete Default project?', 'Delete project')
    expect(confirm.hasAttribute('disabled')).toBe(true)

    await fill(user, screen.getByLabelText(/Type the project name/), 'Default project')
    await user.click(confirm)

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
    expect(server.requests.at(-1)?.query.get('confirm')).toBe('Default project')
  })

  it('is read-only for members', async () => {
    await openSection('project', AS_MEMBER)

    expect((await screen.findByLabelText(/^Name/)).hasAttribute('disabled')).toBe(true)
    expect(screen.queryByRole('button', { name: 'Delete project…' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save project' })).toBeNull()
  })
})

describe('member settings', () => {
  it('hides invitations from members and locks roles', async () => {
    await openSection('members', AS_MEMBER)

    const role = await screen.findByRole('combobox', { name: 'Role for Olive Owner' })
    expect(role.hasAttribute('disabled')).toBe(true)
    expect(screen.queryByRole('button', { name: 'Invite member' })).toBeNull()
  })

  it('changes a role after confirmation', async () => {
    const PATCH = `PATCH ${MEMBERS}/${ann.uuid}`
    const { user, server } = await openSection('members', { [PATCH]: member() })

    await user.click(await screen.findByRole('combobox', { name: 'Role for Ann' }))
    await user.click(await screen.findByRole('option', { name: 'Admin' }))
    await user.click(await inDialog('Make Ann an admin?', 'Change role'))

    await waitFor(() => expect(server.bodiesOf(PATCH)).toEqual([{ level: 8 }]))
  })

  it('leaves the organization, and explains why the last owner cannot', async () => {
    const LEAVE = `DELETE ${MEMBERS}/@me`
    const assign = stubNavigation()
    const { user, server } = await openSection('members', {
      [LEAVE]: problem(409, 'You are the last owner.'),
    })
    const leave = async () => {
      await user.click(await screen.findByRole('button', { name: 'Leave organization…' }))
      await user.click(await inDialog('Leave Hedgerow?', 'Leave organization'))
    }

    await leave()
    expect(await screen.findByText('You are the last owner.')).toBeTruthy()
    expect(assign).not.toHaveBeenCalled()
    server.reply({ [LEAVE]: null })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await leave()

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in'))
  })
})

describe('API keys', () => {
  it('creates a key with the chosen permissions and shows its value once', async () => {
    const KEYS = '/api/personal_api_keys'
    const { user, server } = await openSection('keys', {
      [`GET ${KEYS}`]: [],
      [`POST ${KEYS}`]: apiKey({ value: 'phx_secret' }),
    })
    await user.click(
      (await screen.findAllByRole('button', { name: 'Create API key' }))[0] as Element,
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    await fill(user, dialog.getByLabelText(/^Name/), 'Nightly report')
    await user.click(dialog.getByLabelText('Run queries'))
    server.reply({ [`GET ${KEYS}`]: [apiKey({ scopes: ['query:read', 'insight:read'] })] })
    await user.click(dialog.getByRole('button', { name: 'Create key' }))

    expect((await screen.findByTestId('shown-once')).textContent).toBe('phx_secret')
    expect(server.bodiesOf(`POST ${KEYS}`)).toMatchObject([
      { label: 'Nightly report', scopes: ['query:read', 'insight:read'], scoped_teams: [] },
    ])
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText(/Read insights, queries and events/)).toBeTruthy()
    expect(screen.getByText(/no expiry/)).toBeTruthy()
  })
})

describe('test accounts', () => {
  const PATCH = 'PATCH /api/projects/1'
  const between = { key: 'age', operator: 'between', value: [1, 5] }
  const testRoutes: Routes = {
    'GET /api/projects': pageOf({ ...PROJECT, test_account_filters: [between] }),
    'GET /api/projects/1/property_definitions': ({ query }: FakeRequest) =>
      query.get('type') === 'person' ? pageOf({ name: 'email' }) : pageOf(),
    'GET /api/projects/1/property_values': { results: [] },
    [PATCH]: PROJECT,
  }

  it('are defined by person properties, and other rules are kept', async () => {
    const { user, server } = await openPage('/project/1/settings/project', testRoutes)

    await user.click(await screen.findByRole('button', { name: 'Add rule' }))
    expect(screen.getByRole('button', { name: 'Save rules' })).toHaveProperty('disabled', true)
    const rule = within(screen.getByRole('group', { name: 'Rule 2' }))
    await user.click(rule.getByRole('combobox', { name: 'Property' }))
    await user.click(await screen.findByRole('option', { name: 'email' }))
    await fill(user, rule.getByRole('combobox', { name: 'Values' }), '@acme.com')
    await user.tab()
    await user.click(screen.getByRole('button', { name: 'Save rules' }))

    await screen.findByText('Rules saved.')
    const email = { key: 'email', type: 'person', operator: 'not_icontains', value: ['@acme.com'] }
    expect(server.bodiesOf(PATCH)).toEqual([{ test_account_filters: [between, email] }])
  })

  it('cannot be edited by members', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    await openPage('/project/1/settings/project', {
      ...testRoutes,
      'GET /api/users/@me': { ...ME, organization },
    })

    const rule = await screen.findByRole('group', { name: 'Rule 1' })
    expect((rule as HTMLFieldSetElement).disabled).toBe(true)
    expect(screen.queryByRole('button', { name: 'Remove rule' })).toBeNull()
  })
})
