import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { applyChange, type Change, invertChange, mergeMoves, setDeleted } from './changes.ts'

/** A dashboard as the server has it, and up to which edit that is known. */
export interface Snapshot {
  readonly dashboard: Dashboard
  readonly seen: number
}

interface Edit {
  /** What was done, in words. */
  readonly label: string
  readonly change: Change
  readonly inverse: Change | null
}

interface Step {
  readonly change: Change
  /** The edit that it makes, when it may turn out to have made tiles. */
  readonly edit?: Edit
}

export interface EditorState {
  /** What the server does not know yet, in order. */
  readonly pending: readonly Step[]
  readonly undo: readonly Edit[]
  readonly redo: readonly Edit[]
  readonly status: 'saved' | 'saving' | 'failed' | 'conflict'
  readonly problem: Error | null
  /** Milliseconds; null as long as nothing was. */
  readonly savedAt: number | null
}

interface EditorOptions {
  known(): Snapshot
  /** Throws what the server refuses. */
  send(change: Change, seen: number): Promise<Snapshot>
  isConflict(error: Error): boolean
  /** How long a move waits for the next one. */
  readonly patienceMs: number
}

export type Editor = ReturnType<typeof createEditor>

const INITIAL: EditorState = {
  pending: [],
  undo: [],
  redo: [],
  status: 'saved',
  problem: null,
  savedAt: null,
}

/** Every edit is shown at once, saved in the background, one after the other, and can be taken back. */
export function createEditor({ known, send, isConflict, patienceMs }: EditorOptions) {
  let state = INITIAL
  let { seen } = known()
  let isSending = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const set = (change: Partial<EditorState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  /** As it is seen: what the server has, and what was done since. */
  const shown = (): Dashboard => applySteps(known().dashboard, state.pending)

  function enqueue(step: Step): void {
    // what was not seen before the first unsaved edit was not seen by whoever made it
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
    timer = setTimeout(flush, mergeMoves(step.change, step.change) ? patienceMs : 0)
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
      const made = saved.dashboard.tiles.map(({ id }) => id).filter((id) => !before.has(id))
      const undo = state.undo.map((edit) =>
        edit === step.edit ? withCreatedTiles(edit, made) : edit,
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

    edit(label: string, change: Change): void {
      const edit = { label, change, inverse: invertChange(shown(), change) }
      set({ undo: [...state.undo, edit], redo: [] })
      enqueue({ change, ...(edit.inverse === null && { edit }) })
    },

    undo(): Edit | undefined {
      const edit = state.undo.at(-1)
      if (!edit?.inverse) return undefined
      set({ undo: state.undo.slice(0, -1), redo: [...state.redo, edit] })
      enqueue({ change: edit.inverse })
      return edit
    },

    redo(): Edit | undefined {
      const edit = state.redo.at(-1)
      if (!edit) return undefined
      set({ redo: state.redo.slice(0, -1), undo: [...state.undo, edit] })
      enqueue({ change: edit.change })
      return edit
    },

    /** After a problem; over what somebody else did, once the newest is known. */
    retry(): void {
      seen = Math.max(seen, known().seen)
      set({ status: 'saving', problem: null })
      void flush()
    },

    /** Also forgets what could be undone: it was done to another state. */
    discard(): void {
      seen = Math.max(seen, known().seen)
      set({ ...INITIAL, savedAt: state.savedAt })
    },
  }
}

export const applySteps = (dashboard: Dashboard, steps: readonly Step[]): Dashboard =>
  steps.reduce((changed, { change }) => applyChange(changed, change), dashboard)

/** To take back that a tile was made is to remove it, and to make it again is to bring it back. */
const withCreatedTiles = (edit: Edit, ids: readonly number[]): Edit => ({
  ...edit,
  change: setDeleted(ids, false),
  inverse: setDeleted(ids, true),
})
