import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'
import { applyChange, type DashboardEdit, invertChange, mergeMoves, setDeleted } from './changes.ts'

/** A dashboard as saved on the server. */
export interface Snapshot {
  readonly dashboard: Dashboard
  /** Id of the last activity that this state includes. */
  readonly seen: number
}

interface Edit {
  /** For the undo and redo tooltips: "Moved a tile". */
  readonly label: string
  readonly change: DashboardEdit
  readonly inverse: DashboardEdit | null
  readonly onUndo?: (() => void) | undefined
  readonly onRedo?: (() => void) | undefined
}

interface EditOptions extends Pick<Edit, 'onUndo' | 'onRedo'> {
  /** A part of the edit that is saved already; undo and redo include it. */
  readonly saved?: DashboardEdit
}

interface Step {
  readonly change: DashboardEdit
  /** Set if the change creates tiles: their ids complete the edit once it is saved. */
  readonly edit?: Edit
}

export interface EditorState {
  /** Unsaved steps, oldest first. */
  readonly pending: readonly Step[]
  readonly undo: readonly Edit[]
  readonly redo: readonly Edit[]
  readonly status: 'saved' | 'saving' | 'failed' | 'conflict'
  readonly problem: Error | null
  /** Milliseconds since 1970; null before the first save. */
  readonly savedAt: number | null
}

interface EditorOptions {
  known(): Snapshot
  /** Throws if the server rejects the change. */
  send(change: DashboardEdit, seen: number): Promise<Snapshot>
  isConflict(error: Error): boolean
  /** A move waits this long for further moves to merge with. */
  readonly moveDelayMs: number
}

export type DashboardEditor = ReturnType<typeof createEditor>

const INITIAL: EditorState = {
  pending: [],
  undo: [],
  redo: [],
  status: 'saved',
  problem: null,
  savedAt: null,
}

/** Shows every edit at once, saves edits one after the other in the background, and can undo them. */
export function createEditor({ known, send, isConflict, moveDelayMs }: EditorOptions) {
  let state = INITIAL
  let { seen } = known()
  let isSending = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  /** Tiles that this editor created and that have not been shown yet. */
  const newTiles = new Set<number>()

  const set = (change: Partial<EditorState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** The saved dashboard with all unsaved steps applied. */
  const shown = (): Dashboard => applySteps(known().dashboard, state.pending)

  function enqueue(step: Step): void {
    // the user has seen everything up to the first unsaved edit, and nothing after it
    if (state.pending.length === 0) seen = Math.max(seen, known().seen)
    const last = state.pending.at(-1)
    const isWaiting = last !== undefined && !(isSending && state.pending.length === 1)
    const merged = isWaiting ? mergeMoves(last.change, step.change) : null
    const pending = merged
      ? [...state.pending.slice(0, -1), { change: merged }]
      : [...state.pending, step]
    set({ pending })
    if (state.status === 'failed' || state.status === 'conflict') return
    set({ status: 'saving' })
    clearTimeout(timer)
    timer = setTimeout(flush, mergeMoves(step.change, step.change) ? moveDelayMs : 0)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    const [step] = state.pending
    if (isSending || !step) return
    isSending = true
    const before = new Set(known().dashboard.tiles.map(({ id }) => id))
    try {
      const saved = await send(step.change, seen)
      seen = Math.max(seen, saved.seen)
      const created = saved.dashboard.tiles.filter(({ id }) => !before.has(id))
      if (step.edit) for (const { id } of created) newTiles.add(id)
      const undo = state.undo.map((edit) =>
        edit === step.edit ? withCreatedTiles(edit, created) : edit,
      )
      const pending = state.pending.slice(1)
      const isDone = pending.length === 0
      set({
        pending,
        undo,
        problem: null,
        status: isDone ? 'saved' : 'saving',
        savedAt: Date.now(),
      })
    } catch (error) {
      const problem = error as Error
      set({ status: isConflict(problem) ? 'conflict' : 'failed', problem })
      return
    } finally {
      isSending = false
    }
    return flush()
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    state: () => state,
    shown,
    seen: () => seen,

    edit(label: string, change: DashboardEdit, { saved, ...effects }: EditOptions = {}): void {
      const whole = { ...change, ...saved }
      const edit = { label, change: whole, inverse: invertChange(shown(), whole), ...effects }
      set({ undo: [...state.undo, edit], redo: [] })
      if (Object.keys(change).length === 0) return
      enqueue({ change, ...(edit.inverse === null && { edit }) })
    },

    undo(): Edit | undefined {
      const edit = state.undo.at(-1)
      if (!edit?.inverse) return undefined
      set({ undo: state.undo.slice(0, -1), redo: [...state.redo, edit] })
      enqueue({ change: edit.inverse })
      edit.onUndo?.()
      return edit
    },

    redo(): Edit | undefined {
      const edit = state.redo.at(-1)
      if (!edit) return undefined
      set({ redo: state.redo.slice(0, -1), undo: [...state.undo, edit] })
      enqueue({ change: edit.change })
      edit.onRedo?.()
      return edit
    },

    /** Tells whether this editor has just created a tile that is not shown yet. */
    isNewTile: (id: number): boolean => newTiles.has(id),

    /** Tells once whether this editor has just created the tile. */
    takeNewTile: (id: number): boolean => newTiles.delete(id),

    /** Resolves when everything is saved, or with false when a save fails. */
    settled: (): Promise<boolean> =>
      new Promise((resolve) => {
        const check = () => {
          if (state.status === 'saving') return
          listeners.delete(check)
          resolve(state.pending.length === 0)
        }
        listeners.add(check)
        check()
      }),

    /** Retries after an error. After a conflict, refetch first: the retry overwrites the other edit. */
    retry(): void {
      seen = Math.max(seen, known().seen)
      set({ status: 'saving', problem: null })
      void flush()
    },

    /** Continues when the server can be reached again. If somebody else has edited since, that is a conflict. */
    resume(): void {
      if (state.status !== 'failed') return
      set({ status: 'saving', problem: null })
      void flush()
    },

    /** Also clears undo and redo: they refer to another state. */
    discard(): void {
      seen = Math.max(seen, known().seen)
      set({ ...INITIAL, savedAt: state.savedAt })
    },
  }
}

export const applySteps = (dashboard: Dashboard, steps: readonly Step[]): Dashboard =>
  steps.reduce((changed, { change }) => applyChange(changed, change), dashboard)

/** Undoing a creation deletes the tiles; redoing restores them. */
function withCreatedTiles(edit: Edit, created: readonly Tile[]): Edit {
  const { tiles: inputs = [] } = edit.change
  return {
    ...edit,
    change: setDeleted(created, inputs, false),
    inverse: setDeleted(created, inputs, true),
  }
}
