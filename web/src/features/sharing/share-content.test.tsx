import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { CAN_EDIT, CAN_VIEW, ONLY_COLLABORATORS_CAN_EDIT } from '#model/levels.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { dashboard, ME, pageOf } from '../../test/fixtures.ts'
import { renderInApp } from '../../test/render.tsx'
import { problem, type Routes } from '../../test/server.ts'
import ShareContent from './share-content.tsx'

const PATH = '/api/environments/1/dashboards/1'
const SHARING = { created_at: '2026-01-05T10:00:00.000Z', enabled: true, access_token: 'secret' }
const GUEST = {
  ...ME,
  id: 2,
  uuid: 'uuid-2',
  first_name: 'Gus',
  last_name: '',
  email: 'gus@example.com',
}

async function open(fields: Partial<Dashboard> = {}, routes: Routes = {}) {
  const rendered = await renderInApp(<ShareContent dashboardId={1} />, {
    routes: {
      [`GET ${PATH}`]: dashboard({ name: 'Sales', ...fields }),
      [`GET ${PATH}/sharing`]: SHARING,
      [`GET ${PATH}/sharing/links`]: pageOf(),
      [`GET ${PATH}/collaborators`]: [],
      'GET /api/sign_in': { oidc: null, sends_mail: true },
      'GET /api/projects/1/members': pageOf({ user: ME, level: 15 }, { user: GUEST, level: 1 }),
      ...routes,
    },
  })
  await screen.findByText('Who can edit')
  await screen.findByRole('switch')
  return rendered
}

const isDisabled = (element: HTMLElement): boolean => (element as HTMLInputElement).disabled

describe('share dialog', () => {
  it('offers an embed code, a QR code and files', async () => {
    const { user } = await open()

    await user.click(screen.getByRole('tab', { name: 'Embed' }))
    await user.click(await screen.findByText('Dark'))
    await user.click(screen.getByLabelText('Show header'))

    const code = screen.getByLabelText('Embed code') as HTMLTextAreaElement
    expect(code.value).toMatch(
      /^<iframe src="http[^"]+\/embedded\/secret\?theme=dark&#38;noHeader=1" title="Sales" /,
    )
    await user.click(screen.getByRole('tab', { name: 'QR code' }))
    await screen.findByRole('img', { name: 'QR code for the public link' })
    await user.click(screen.getByRole('tab', { name: 'Files' }))
    const file = await screen.findByRole('link', { name: 'Document (PDF)' })
    expect(file.getAttribute('href')).toMatch(/\/shared\/secret\.pdf$/)
  })

  it('says that the members are loading before a person can be chosen', async () => {
    const members = Promise.withResolvers<object>()
    await open({}, { 'GET /api/projects/1/members': () => members.promise })
    const field = screen.getByLabelText('Invite a person') as HTMLInputElement
    expect([field.placeholder, field.disabled]).toEqual(['Loading…', true])

    members.resolve(pageOf({ user: GUEST, level: 1 }))

    await waitFor(() =>
      expect([field.placeholder, field.disabled]).toEqual(['Name or e-mail', false]),
    )
  })

  it('replaces the link after confirmation', async () => {
    const REFRESH = `POST ${PATH}/sharing/refresh`
    const { user, server } = await open()
    const field = () =>
      (screen.getByRole('textbox', { name: 'Public link' }) as HTMLInputElement).value
    expect(field()).toMatch(/\/shared\/secret$/)

    await user.click(screen.getByRole('button', { name: 'Replace link…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Replace the link?' }))
    expect(dialog.getByText(/works for five more minutes/)).toBeTruthy()
    expect(server.bodiesOf(REFRESH)).toHaveLength(0)
    const replaced = { ...SHARING, access_token: 'another' }
    server.reply({ [REFRESH]: replaced, [`GET ${PATH}/sharing`]: replaced })
    await user.click(dialog.getByRole('button', { name: 'Replace link' }))

    await waitFor(() => expect(field()).toMatch(/\/shared\/another$/))
    expect(server.bodiesOf(REFRESH)).toHaveLength(1)
  })

  it('explains to users who can only view why nothing can be changed', async () => {
    await open({ effective_privilege_level: CAN_VIEW, created_by: GUEST })

    expect(screen.getByText(/You can view this dashboard, but not edit or share it./)).toBeTruthy()
    expect(screen.getByText(/Ask Gus or an admin for access./)).toBeTruthy()
    expect(isDisabled(screen.getByRole('switch'))).toBe(true)
    expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Replace link…' })).toBeNull()
  })

  it('lets only the creator and admins restrict editing', async () => {
    const member = { ...ME, organization: { ...ME.organization, membership_level: 1 } }
    await open({ created_by: GUEST }, { 'GET /api/users/@me': member })

    await screen.findByText('Only the creator and admins can change this.')
    expect(isDisabled(screen.getByRole('radio', { name: 'Everyone in the project' }))).toBe(true)
  })

  it('offers only people who cannot edit yet, and shows why an invitation failed', async () => {
    const INVITE = `POST ${PATH}/collaborators`
    const { user, server } = await open(
      { restriction_level: ONLY_COLLABORATORS_CAN_EDIT },
      { [INVITE]: problem(400, 'This person cannot be invited.') },
    )

    await user.click(screen.getByRole('button', { name: 'Invite' }))
    await screen.findByText('Choose a person.')
    expect(server.bodiesOf(INVITE)).toHaveLength(0)
    await user.click(await screen.findByRole('combobox', { name: 'Invite a person' }))
    expect(
      screen.getAllByRole('option', { name: /@example.com/ }).map((one) => one.textContent),
    ).toEqual(['Gus (gus@example.com)'])
    await user.click(screen.getByRole('option', { name: /gus/ }))
    await user.click(screen.getByRole('button', { name: 'Invite' }))

    await screen.findByText('This person cannot be invited.')
    expect(server.bodiesOf(INVITE)).toEqual([{ user_uuid: 'uuid-2', level: CAN_EDIT }])
    expect(screen.getByText('Created this dashboard')).toBeTruthy()
  })
})

const LINK = {
  id: 2,
  label: 'Investors',
  access_token: 'other',
  is_first: false,
  enabled: true,
  state: 'ended',
  audience: 'password',
  starts_at: null,
  expires_at: '2020-01-01T00:00:00.000Z',
  ends_at: '2020-01-01T00:00:00.000Z',
  max_views: 10,
  shows_annotations: true,
  allows_exports: false,
  embed_origins: ['https://a.example'],
  viewer_filters: {
    dates: true,
    properties: [{ key: 'plan', type: 'event', group_type_index: null, values: ['pro'] }],
    variables: [{ code_name: 'who', values: ['ann', '7'] }],
  },
  snapshot_at: null,
  views: 3,
  last_viewed_at: null,
  created_by: null,
  created_at: '2019-01-01T00:00:00.000Z',
}

const choose = async (user: UserEvent, choice: string, field = 'Who can open it') => {
  await user.click(screen.getByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name: choice }))
}

describe('more links', () => {
  it('are listed with what they ask for and how often they were opened', async () => {
    await open(
      {},
      { [`GET ${PATH}/sharing/links`]: pageOf({ ...LINK, id: 1, is_first: true }, LINK) },
    )

    await screen.findByText('Investors')
    const row = within(screen.getByRole('region', { name: 'More links' }))
    expect(row.getAllByRole('listitem')).toHaveLength(1)
    expect(row.getByText('Investors')).toBeTruthy()
    expect(row.getByText('Password')).toBeTruthy()
    expect(row.getByText('Ended')).toBeTruthy()
    expect(row.getByText(/^3 of 10 views · ended /)).toBeTruthy()
  })

  it('are added with a password', async () => {
    const ADD = `POST ${PATH}/sharing/links`
    const { user, server } = await open({}, { [ADD]: LINK })

    await user.click(screen.getByRole('button', { name: 'Add link' }))
    await user.type(await screen.findByLabelText('Label'), 'Board')
    await choose(user, 'Anyone with the link and its password')
    const dialog = within(screen.getByRole('dialog', { name: 'Add a public link' }))
    await user.click(dialog.getByRole('button', { name: 'Add link' }))
    expect(await dialog.findByText('Enter a password.')).toBeTruthy()
    expect(server.bodiesOf(ADD)).toHaveLength(0)
    await user.type(dialog.getByLabelText('Password'), 'correct horse')
    await user.click(dialog.getByRole('button', { name: 'Add link' }))

    await waitFor(() => expect(server.bodiesOf(ADD)).toHaveLength(1))
    expect(server.bodiesOf(ADD)).toEqual([
      {
        label: 'Board',
        audience: 'password',
        password: 'correct horse',
        starts_at: null,
        expires_at: null,
        max_views: null,
        embed_origins: null,
        snapshot_at: null,
        viewer_filters: { dates: false, properties: [], variables: [] },
        shows_annotations: true,
        allows_exports: true,
      },
    ])
  })

  it('keep their password and websites when something else is changed', async () => {
    const { user, server } = await open(
      {},
      {
        [`GET ${PATH}/sharing/links`]: pageOf(LINK),
        [`PATCH ${PATH}/sharing/links/2`]: LINK,
        'GET /api/projects/1/property_definitions': pageOf(),
      },
    )

    await user.click(await screen.findByRole('button', { name: 'More for Investors' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Settings…' }))
    await user.type(await screen.findByLabelText('Label'), ' 2026')
    await user.click(screen.getByRole('button', { name: 'Save' }))

    await waitFor(() => expect(server.bodiesOf(`PATCH ${PATH}/sharing/links/2`)).toHaveLength(1))
    expect(server.bodiesOf(`PATCH ${PATH}/sharing/links/2`)).toEqual([
      {
        label: 'Investors 2026',
        audience: 'password',
        starts_at: null,
        expires_at: '2020-01-01T00:00:00.000Z',
        max_views: 10,
        embed_origins: ['https://a.example'],
        snapshot_at: null,
        viewer_filters: {
          ...LINK.viewer_filters,
          properties: [{ key: 'plan', type: 'event', values: ['pro'] }],
        },
        shows_annotations: true,
        allows_exports: false,
      },
    ])
  })

  it('for people ask whom to invite, by address or domain, and remove them', async () => {
    const ADD = `POST ${PATH}/sharing/links`
    const GUESTS = `${PATH}/sharing/links/2/guests`
    const people = { ...LINK, audience: 'people', state: 'open' }
    const ada = { id: 5, email: 'ada@example.com', domain: null, expires_at: null }
    const { user, server } = await open(
      {},
      { [ADD]: people, [`GET ${GUESTS}`]: pageOf(), [`POST ${GUESTS}`]: ada },
    )
    await user.click(screen.getByRole('button', { name: 'Add link' }))
    await user.type(await screen.findByLabelText('Label'), 'Investors')
    await choose(user, 'Only people you invite')
    const form = within(screen.getByRole('dialog', { name: 'Add a public link' }))
    await user.click(form.getByRole('button', { name: 'Add link' }))

    const dialog = within(await screen.findByRole('dialog', { name: 'Guests of “Investors”' }))
    await dialog.findByText('Nobody can open this link yet.')
    const invite = dialog.getByRole('button', { name: 'Invite guest' })
    const who = dialog.getByLabelText('E-mail address or domain')
    await user.click(invite)
    await dialog.findByText('Enter an address or a domain.')
    server.reply({ [`GET ${GUESTS}`]: pageOf(ada) })
    await user.type(who, 'ada@example.com')
    await user.click(invite)
    await dialog.findByText('ada@example.com')
    await user.type(who, '@example.org')
    await user.click(invite)
    server.reply({ [`DELETE ${GUESTS}/5`]: undefined, [`GET ${GUESTS}`]: pageOf() })
    await user.click(dialog.getByRole('button', { name: 'Remove ada@example.com' }))
    await dialog.findByText('Nobody can open this link yet.')

    expect(server.bodiesOf(ADD)).toMatchObject([{ audience: 'people' }])
    expect(server.bodiesOf(`POST ${GUESTS}`)).toEqual([
      { email: 'ada@example.com', expires_at: null },
      { domain: '@example.org', expires_at: null },
    ])
  })

  it('cannot be for people on a server without mail', async () => {
    const { user } = await open({}, { 'GET /api/sign_in': { oidc: null, sends_mail: false } })

    await user.click(screen.getByRole('button', { name: 'Add link' }))

    await screen.findByText(/Inviting people needs mail/)
    await user.click(screen.getByRole('combobox', { name: 'Who can open it' }))
    const option = await screen.findByRole('option', { name: 'Only people you invite' })
    expect(option.getAttribute('data-combobox-disabled')).toBe('true')
  })

  it('show their views by day and guest', async () => {
    const views = {
      results: [
        { day: '2026-11-19', views: 3 },
        { day: '2026-11-18', views: 1 },
      ],
      guests: [{ email: 'ada@example.com', views: 4, last_day: '2026-11-19' }],
    }
    const { user } = await open(
      { effective_privilege_level: CAN_VIEW },
      {
        [`GET ${PATH}/sharing/links`]: pageOf(LINK),
        [`GET ${PATH}/sharing/links/2/views`]: views,
      },
    )

    await user.click(await screen.findByRole('button', { name: 'More for Investors' }))
    expect(screen.queryByRole('menuitem', { name: 'Settings…' })).toBeNull()
    await user.click(await screen.findByRole('menuitem', { name: 'Views…' }))

    const days = within(await screen.findByRole('table', { name: 'Views by day' }))
    expect(days.getAllByRole('row').map((row) => row.textContent)).toEqual([
      '2026-11-193 views',
      '2026-11-181 view',
    ])
    const guests = within(screen.getByRole('table', { name: 'Views by guest' }))
    expect(guests.getByRole('row', { name: 'ada@example.com 2026-11-19 4' })).toBeTruthy()
  })

  it('are frozen, which leaves viewers nothing to change, and keep their moment', async () => {
    const SAVE = `PATCH ${PATH}/sharing/links/2`
    const frozen = { ...LINK, snapshot_at: '2026-11-19T10:00:00.000Z', viewer_filters: null }
    const { user, server } = await open(
      {},
      {
        [`GET ${PATH}/sharing/links`]: pageOf(LINK),
        [SAVE]: frozen,
        'GET /api/projects/1/property_definitions': pageOf(),
      },
    )
    const edit = async () => {
      await user.click(await screen.findByRole('button', { name: 'More for Investors' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Settings…' }))
      await screen.findByLabelText('Label')
    }
    await edit()

    await choose(user, 'Those of now, frozen', 'Results')
    expect(screen.queryByRole('group', { name: 'What viewers can change' })).toBeNull()
    server.reply({ [`GET ${PATH}/sharing/links`]: pageOf(frozen) })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/as of /)
    await edit()
    await user.click(screen.getByRole('button', { name: 'Save' }))

    await waitFor(() => expect(server.bodiesOf(SAVE)).toHaveLength(2))
    const [first, second] = server.bodiesOf(SAVE)
    expect(first).toMatchObject({ snapshot_at: 'now', viewer_filters: null })
    expect(second).not.toHaveProperty('snapshot_at')
  })

  it('are revoked after confirmation', async () => {
    const { user, server } = await open(
      {},
      {
        [`GET ${PATH}/sharing/links`]: pageOf(LINK),
        [`DELETE ${PATH}/sharing/links/2`]: undefined,
      },
    )

    await user.click(await screen.findByRole('button', { name: 'More for Investors' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Revoke…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the link?' }))
    await user.click(dialog.getByRole('button', { name: 'Revoke link' }))

    await waitFor(() => expect(server.bodiesOf(`DELETE ${PATH}/sharing/links/2`)).toHaveLength(1))
  })
})
