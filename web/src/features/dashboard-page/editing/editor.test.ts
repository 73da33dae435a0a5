import { describe, expect, it } from 'vitest'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { until } from '../../../../../test/support/until.ts'
import { applyChange, type DashboardEdit, invertChange } from './changes.ts'
import { createEditor, type Snapshot } from './editor.ts'

const DASHBOARD = {
  name: 'Sales',
  description: '',
  pinned: false,
  tags: ['a'],
  filters: {},
  variables: {},
  tiles: [
    {
      id: 1,
      layouts: { sm: { x: 0 } },
      color: null,
      text: { id: 5, body: 'Hello' },
      insight: null,
    },
    { id: 2, layouts: {}, color: 'blue', text: null, insight: { id: 7, name: 'Visits' } },
  ],
} as unknown as Dashboard

const CHANGES: readonly [string, DashboardEdit][] = [
  ['a name', { fields: { name: 'Costs' } }],
  ['tags and filters', { fields: { tags: [], filters: { date_from: '-7d' } } }],
  ['a place', { tiles: [{ id: 1, layouts: { sm: { x: 6 } } }] }],
  ['a color', { tiles: [{ id: 2, color: null }] }],
  ['a text', { tiles: [{ id: 1, text: { body: 'Bye' } }] }],
  ['the name of an insight', { insight: { id: 7, name: 'Views' } }],
]

describe('change', () => {
  it.each(CHANGES)('of %s is applied, and undone by its inverse', (_, change) => {
    const changed = applyChange(DASHBOARD, change)
    const inverse = invertChange(DASHBOARD, change) as DashboardEdit

    expect(changed).not.toEqual(DASHBOARD)
    expect(applyChange(changed, inverse)).toEqual(DASHBOARD)
  })

  it('that deletes a tile is undone by restoring it', () => {
    const change = { tiles: [{ id: 1, deleted: true }] }

    expect(applyChange(DASHBOARD, change).tiles.map(({ id }) => id)).toEqual([2])
    expect(invertChange(DASHBOARD, change)).toEqual({ tiles: [{ id: 1, deleted: false }] })
  })

  it('that creates a tile has no inverse until the tile is saved', () => {
    expect(invertChange(DASHBOARD, { tiles: [{ text: { body: 'New' } }] })).toBe(null)
  })
})

/** Starts a server of one dashboard that refuses chosen edits. */
function start({ moveDelayMs = 0 } = {}) {
  const sent: DashboardEdit[] = []
  const seenWith: number[] = []
  const server = { known: { dashboard: DASHBOARD, seen: 10 } as Snapshot, refusal: '' }
  const editor = createEditor({
    moveDelayMs,
    known: () => server.known,
    isConflict: ({ message }) => message === 'conflict',
    async send(change, seen) {
      if (server.refusal) throw new Error(server.refusal)
      sent.push(change)
      seenWith.push(seen)
      let { dashboard } = server.known
      dashboard = applyChange(dashboard, change)
      for (const { id, text } of change.tiles ?? []) {
        if (id !== undefined) continue
        const tiles = [...dashboard.tiles, { id: 3, text } as unknown as Dashboard['tiles'][number]]
        dashboard = { ...dashboard, tiles }
      }
      server.known = { dashboard, seen: server.known.seen + 1 }
      return server.known
    },
  })
  const saved = () => until(() => editor.state().status === 'saved')
  return { editor, server, sent, seenWith, saved }
}

const rename = (name: string): DashboardEdit => ({ fields: { name } })
const moveTo = (x: number): DashboardEdit => ({ tiles: [{ id: 1, layouts: { sm: { x } } }] })

describe('editor', () => {
  it('shows edits before they are saved, and saves them in order', async () => {
    const { editor, sent, seenWith, saved } = start()

    editor.edit('Renamed', rename('A'))
    editor.edit('Renamed', rename('B'))

    expect(editor.shown().name).toBe('B')
    expect(editor.state().status).toBe('saving')
    await saved()
    expect(sent).toEqual([rename('A'), rename('B')])
    expect(seenWith).toEqual([10, 11])
  })

  it('saves consecutive moves as one, and undoes them one at a time', async () => {
    const { editor, sent, saved } = start({ moveDelayMs: 20 })

    for (const x of [1, 2, 3]) editor.edit('Moved', moveTo(x))

    await saved()
    expect(sent).toEqual([moveTo(3)])
    editor.undo()
    expect(editor.shown().tiles[0]?.layouts).toEqual({ sm: { x: 2 } })
  })

  it('undoes and redoes, and drops undone edits after a new edit', async () => {
    const { editor, server, saved } = start()
    editor.edit('Renamed', rename('A'))
    editor.edit('Renamed', rename('B'))

    editor.undo()
    editor.undo()
    expect(editor.shown().name).toBe('Sales')
    editor.redo()
    await saved()
    expect(server.known.dashboard.name).toBe('A')
    editor.edit('Pinned', { fields: { pinned: true } })

    expect(editor.redo()).toBe(undefined)
    expect(editor.shown()).toMatchObject({ name: 'A', pinned: true })
  })

  it('undoes the creation of a tile once it is saved', async () => {
    const { editor, sent, saved } = start()
    editor.edit('Added a text', { tiles: [{ text: { body: 'New' } }] })
    expect(editor.undo()).toBe(undefined)
    await saved()

    editor.undo()
    await saved()
    editor.redo()
    await saved()

    expect(sent.slice(1)).toEqual([
      { tiles: [{ id: 3, deleted: true }] },
      { tiles: [{ id: 3, deleted: false }] },
    ])
  })

  it('keeps unsaved edits after an error, and retries on demand', async () => {
    const { editor, server, saved } = start()
    server.refusal = 'The server cannot be reached.'
    editor.edit('Renamed', rename('A'))
    await until(() => editor.state().status === 'failed')

    editor.edit('Pinned', { fields: { pinned: true } })
    expect(editor.shown()).toMatchObject({ name: 'A', pinned: true })
    expect(editor.state().problem?.message).toBe('The server cannot be reached.')
    server.refusal = ''
    editor.retry()
    await saved()

    expect(server.known.dashboard).toMatchObject({ name: 'A', pinned: true })
  })

  it('resumes without hiding what others did meanwhile', async () => {
    const { editor, server, saved } = start()
    server.refusal = 'The server cannot be reached.'
    editor.edit('Renamed', rename('A'))
    await until(() => editor.state().status === 'failed')
    const before = editor.seen()
    server.known = { ...server.known, seen: before + 1 }
    server.refusal = ''

    editor.resume()
    expect(editor.seen()).toBe(before)
    await saved()

    expect(server.known.dashboard.name).toBe('A')
  })

  it('stops at a conflict, and can discard its own edits', async () => {
    const { editor, server } = start()
    server.refusal = 'conflict'
    editor.edit('Renamed', rename('Mine'))
    await until(() => editor.state().status === 'conflict')

    server.known = { dashboard: { ...DASHBOARD, name: 'Theirs' }, seen: 20 }
    editor.discard()

    expect(editor.shown().name).toBe('Theirs')
    expect(editor.state()).toMatchObject({ status: 'saved', undo: [], pending: [] })
  })

  it('stops at a conflict, and can overwrite the other edit', async () => {
    const { editor, server, seenWith, saved } = start()
    server.refusal = 'conflict'
    editor.edit('Renamed', rename('Mine'))
    await until(() => editor.state().status === 'conflict')

    server.known = { dashboard: { ...DASHBOARD, name: 'Theirs', pinned: true }, seen: 20 }
    server.refusal = ''
    editor.retry()
    await saved()

    expect(seenWith).toEqual([20])
    expect(server.known.dashboard).toMatchObject({ name: 'Mine', pinned: true })
  })

  it('marks only changes from before the first unsaved edit as seen', async () => {
    const { editor, server, seenWith, saved } = start({ moveDelayMs: 20 })

    editor.edit('Moved', moveTo(1))
    server.known = { ...server.known, seen: 20 }
    await saved()

    expect(seenWith).toEqual([10])
  })
})
