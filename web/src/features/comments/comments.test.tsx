import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Comment } from '#server/features/dashboards/comments/schema.ts'
import { dashboard, insightTile, ME, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import type { FakeRequest, Routes } from '../../test/server.ts'

const PATH = '/api/environments/1/dashboards/1'
const COMMENTS = '/api/projects/1/comments'
const GRACE = { ...ME, id: 2, first_name: 'Grace', last_name: 'Hopper', email: 'g@example.com' }

const comment = (id: string, content: string, more: Partial<Comment> = {}): Comment => ({
  ...{ id, content, created_by: GRACE, deleted: false, rich_content: null, version: 0 },
  ...{ created_at: '2026-03-02T10:00:00Z', item_id: '1', item_context: null, scope: 'Dashboard' },
  ...{ source_comment: null, is_task: false, completed_at: null, completed_by: null, mentions: [] },
  ...more,
})

const open = (comments: readonly Comment[], search = '?comments=all', routes: Routes = {}) =>
  openPage(`/project/1/dashboards/1${search}`, {
    [`GET ${PATH}`]: dashboard({ tiles: [insightTile(7, 'Signups')] }),
    [`GET ${PATH}/activity`]: pageOf(),
    [`GET ${COMMENTS}`]: ({ query }: FakeRequest) =>
      pageOf(
        ...comments.filter(
          ({ completed_at }) =>
            (completed_at !== null) === (query.get('completed') === 'completed'),
        ),
      ),
    [`POST ${COMMENTS}`]: comment('new', 'New'),
    'GET /api/projects/1/members': pageOf({ user: ME, level: 15 }, { user: GRACE, level: 1 }),
    ...routes,
  })

const drawer = () => screen.findByRole('dialog', { name: 'Comments' })

describe('the comments on a dashboard', () => {
  it('are shown as threads with their tile and day', async () => {
    const first = comment('a', 'Why, @Grace Hopper?', {
      created_by: ME,
      item_context: { tile_id: 7, point: '2026-03-02T00:00:00Z' },
    })
    await open([comment('b', 'A release', { source_comment: 'a', version: 1 }), first])

    const thread = await within(await drawer()).findByRole('region', { name: /^Thread: Why/ })

    expect(thread.textContent).toContain('Signups · 2 Mar 2026')
    expect(within(thread).getAllByRole('article')).toHaveLength(2)
    expect((await within(thread).findByText('@Grace Hopper')).tagName).toBe('SPAN')
    expect(within(thread).getByText(/edited/)).toBeTruthy()
  })

  it('mention members, who are offered after an @', async () => {
    const { user, server } = await open([])
    const field = await screen.findByRole('textbox', { name: 'Add a comment' })

    await user.type(field, 'Ask @hop')
    await user.click(await screen.findByRole('option', { name: 'Grace Hopper' }))
    await user.type(field, 'and @')
    expect(await screen.findAllByRole('option')).toHaveLength(2)
    await user.keyboard('{ArrowDown}{Enter}please')
    await user.click(screen.getByRole('button', { name: 'Comment' }))

    await waitFor(() => expect(server.bodiesOf(`POST ${COMMENTS}`)).toHaveLength(1))
    expect(server.bodiesOf(`POST ${COMMENTS}`)).toEqual([
      {
        content: 'Ask @Grace Hopper and @Grace Hopper please',
        mentions: [2],
        scope: 'Dashboard',
        item_id: 1,
      },
    ])
    await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(''))
  })

  it('begin at a tile from its menu', async () => {
    const { user, server } = await open([], '')
    await user.click(await screen.findByRole('button', { name: 'Actions for Signups' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Comment' }))

    await user.type(await screen.findByRole('textbox', { name: 'Add a comment' }), 'High!')
    await user.click(screen.getByRole('button', { name: 'Comment' }))

    await waitFor(() =>
      expect(server.bodiesOf(`POST ${COMMENTS}`)).toMatchObject([{ item_context: { tile_id: 7 } }]),
    )
  })

  it('are answered, resolved and deleted', async () => {
    const { user, server } = await open([comment('a', 'Why?', { created_by: ME })], undefined, {
      [`POST ${COMMENTS}/a/complete`]: comment('a', 'Why?'),
      [`PATCH ${COMMENTS}/a`]: comment('a', 'Why?', { deleted: true }),
    })
    const thread = within(await screen.findByRole('region', { name: /^Thread: Why/ }))

    await user.click(thread.getByRole('button', { name: 'Reply' }))
    await user.type(thread.getByRole('textbox', { name: 'Reply' }), 'Because')
    await user.click(thread.getByRole('button', { name: 'Reply' }))
    await waitFor(() =>
      expect(server.bodiesOf(`POST ${COMMENTS}`)).toEqual([
        { content: 'Because', mentions: [], source_comment: 'a' },
      ]),
    )
    await user.click(await thread.findByRole('button', { name: 'Resolve' }))
    await waitFor(() => expect(server.bodiesOf(`POST ${COMMENTS}/a/complete`)).toHaveLength(1))
    await user.click(thread.getByRole('button', { name: 'Actions for comment' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await waitFor(() => expect(server.bodiesOf(`PATCH ${COMMENTS}/a`)).toEqual([{ deleted: true }]))
  })

  it('are opened by a link to one, also if it is resolved', async () => {
    const done = comment('a', 'Fixed?', { completed_at: '2026-03-03T00:00:00Z', completed_by: ME })
    await open([done], '?comments=a', { [`GET ${COMMENTS}/a`]: done })

    expect(await screen.findByRole('region', { name: 'Thread: Fixed?' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Reopen' })).toBeTruthy()
  })
})

describe('mentions', () => {
  it('are marked in the account menu, and lead to the comment', async () => {
    const mention = {
      ...{ id: 3, dashboard: { id: 1, name: 'Sales' }, project: { id: 1, name: 'Web' } },
      comment: { id: 'a', content: 'Why?', created_by: GRACE, created_at: '2026-03-02T10:00:00Z' },
      ...{ created_at: '2026-03-02T10:00:00Z', read_at: null },
    }
    const { user, server, address } = await open([comment('a', 'Why?')], '', {
      'GET /api/users/@me/mentions': pageOf(mention),
      'POST /api/users/@me/mentions/read': new Response(null, { status: 204 }),
      [`GET ${COMMENTS}/a`]: comment('a', 'Why?'),
    })
    expect(await screen.findByText('1 unread mention')).toBeTruthy()

    await user.click(screen.getByRole('button', { name: /^Account menu/ }))
    await user.click(await screen.findByRole('menuitem', { name: /^Mentions/ }))
    await user.click(await screen.findByRole('link', { name: /Grace Hopper on Sales/ }))

    await drawer()
    expect(address()).toContain('comments=a')
    expect(server.bodiesOf('POST /api/users/@me/mentions/read')).toEqual([{ ids: [3] }])
  })
})
