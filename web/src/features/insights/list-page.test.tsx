import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dashboardItem, insight, pageOf } from '../../test/fixtures.ts'
import { openPage } from '../../test/render.tsx'
import type { FakeRequest } from '../../test/server.ts'

const LIST = '/api/environments/1/insights'
const DASHBOARDS = '/api/environments/1/dashboards'

const event = (name: string) => ({ kind: 'EventsNode', event: name })
const FUNNEL = { kind: 'FunnelsQuery', series: [event('a'), event('b')] }

const SIGN_UPS = insight({ id: 1, name: 'Sign-ups', tags: ['people'], dashboards: [1] })
const CHECKOUT = insight({
  id: 2,
  short_id: 'b',
  name: 'Checkout',
  query: FUNNEL,
  description: 'Steps',
})

type Insight = typeof SIGN_UPS

/** Starts a server that stores insights, filters by text, favorites and trash, and applies patches. */
async function openList(items: readonly Insight[] = [SIGN_UPS, CHECKOUT]) {
  const saved = new Map(items.map((item) => [item.id, item]))
  const page = await openPage('/project/1/insights', {
    [`GET ${LIST}`]: ({ query }: FakeRequest) =>
      pageOf(
        ...[...saved.values()]
          .filter(({ deleted }) => deleted === (query.get('deleted') === 'true'))
          .filter(({ favorited }) => favorited || query.get('favorited') !== 'true')
          .filter(({ description }) => description.includes(query.get('search') ?? '')),
      ),
    [`GET ${LIST}/tags`]: [{ name: 'people', count: 1 }],
    [`GET ${DASHBOARDS}`]: ({ query }: FakeRequest) =>
      query.has('id')
        ? pageOf(
            ...query
              .getAll('id')
              .map((id) => dashboardItem({ id: Number(id), name: `Board ${id}` })),
          )
        : pageOf(dashboardItem({ id: 7, name: 'Growth' })),
    [`PATCH ${LIST}/*`]: ({ path, body }: FakeRequest) => {
      const id = Number(path.split('/').at(-1))
      saved.set(id, { ...(saved.get(id) as Insight), ...(body as object) })
      return saved.get(id)
    },
    [`POST ${LIST}/1/duplicate`]: () => {
      const copy = { ...SIGN_UPS, id: 3, name: 'Sign-ups (Copy)' }
      saved.set(3, copy)
      return copy
    },
  })
  const choose = async (name: string, item: string) => {
    await page.user.click(screen.getByRole('button', { name: `Actions for ${name}` }))
    await page.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return { ...page, choose }
}

const rowOf = (name: string) =>
  within(screen.getByRole('link', { name }).closest('li') as HTMLElement)

describe('list of insights', () => {
  it('shows the kind and the dashboards of each insight', async () => {
    await openList()

    await screen.findByRole('link', { name: 'Board 1' })

    const row = rowOf('Checkout')
    expect(row.getByRole('img', { name: 'Funnel' })).toBeTruthy()
    expect(row.getByText('Not on a dashboard')).toBeTruthy()
  })

  it('fetches the names of many dashboards in several requests', async () => {
    const ids = Array.from({ length: 305 }, (_, index) => index + 1)
    const { server } = await openList([
      insight({ id: 1, name: 'Everywhere', dashboards: ids.slice(0, -1) }),
      insight({ id: 2, name: 'Only there', dashboards: [305] }),
    ])

    await screen.findByRole('link', { name: 'Board 305' })

    const asked = server.requests.filter(({ path }) => path === DASHBOARDS)
    expect(asked.map(({ query }) => query.getAll('id').length)).toEqual([300, 5])
  })

  it('searches, and keeps the search in the URL', async () => {
    const { user, address } = await openList()

    await user.keyboard('/')
    await user.keyboard('Steps')

    await screen.findByText('1 insight')
    expect(screen.getByRole('link', { name: 'Checkout' })).toBeTruthy()
    expect(address()).toBe('/project/1/insights?search=Steps')
  })

  it('marks favorites and lists them', async () => {
    const { user, server } = await openList()

    await user.click(screen.getByRole('button', { name: 'Add to favorites: Sign-ups' }))
    await screen.findByRole('button', { name: 'Remove from favorites: Sign-ups' })
    await user.click(screen.getByText('Favorites'))

    await screen.findByText('1 insight')
    expect(server.bodiesOf(`PATCH ${LIST}/1`)).toEqual([{ favorited: true }])
  })

  it('adds an insight to a dashboard', async () => {
    const { user, server, choose } = await openList()

    await choose('Checkout', 'Add to dashboard')
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('combobox', { name: 'Dashboard' }))
    await user.click(await screen.findByRole('option', { name: 'Growth' }))
    await user.click(dialog.getByRole('button', { name: 'Add insight' }))

    await screen.findByText('Added “Checkout” to the dashboard')
    expect(server.bodiesOf(`PATCH ${LIST}/2`)).toEqual([{ dashboards: [7] }])
  })

  it('refuses a dashboard that already shows the insight', async () => {
    const { user, server, choose } = await openList([{ ...SIGN_UPS, dashboards: [7] }])

    await choose('Sign-ups', 'Add to dashboard')
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('combobox', { name: 'Dashboard' }))
    await user.click(await screen.findByRole('option', { name: 'Growth' }))

    await dialog.findByText('Already on this dashboard.')
    const add = dialog.getByRole('button', { name: 'Add insight' })
    expect((add as HTMLButtonElement).disabled).toBe(true)
    expect(server.bodiesOf(`PATCH ${LIST}/1`)).toEqual([])
  })

  it('duplicates an insight, moves it to trash and restores it', async () => {
    const { user, choose } = await openList()

    await choose('Sign-ups', 'Duplicate')
    await screen.findByText('3 insights')
    await choose('Sign-ups (Copy)', 'Move to trash')
    await screen.findByText('“Sign-ups (Copy)” moved to trash')
    await screen.findByText('2 insights')
    await user.click(screen.getByText('Trash'))
    await screen.findByText('1 insight in the trash')
    await choose('Sign-ups (Copy)', 'Restore')

    await screen.findByRole('heading', { name: 'The trash is empty' })
    await waitFor(() => expect(screen.getByText('“Sign-ups (Copy)” restored')).toBeTruthy())
  })
})
