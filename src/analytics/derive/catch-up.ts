import type { DerivedTables, Step } from './derived-tables.ts'
import { repeatEdit } from './edit.ts'

/** One engine while it derives persons and groups again. */
export interface CatchUp {
  /** Prepares what the steps need. Returns whether any persons or groups are to be derived. */
  prepare(): Promise<boolean>
  /** Runs a change of all projects. */
  change<T>(work: (tables: DerivedTables) => Promise<T>): Promise<T>
  onStep(step: Step): void
  /** Completes what the steps left. */
  complete(): Promise<void>
}

/**
 * Derives the persons and groups of events that a version without them has stored, or that `forgetPersons` has left. It
 * can be interrupted after each step. Returns whether there were any.
 */
export async function catchUp(engine: CatchUp): Promise<boolean> {
  if (!(await engine.prepare())) return false
  for (let isLast = false; !isLast; ) {
    const step = await engine.change(deriveStep)
    if (step) engine.onStep(step)
    isLast = step?.isLast ?? true
  }
  await engine.complete()
  return true
}

/** Deletes all persons and groups except those that were kept. The next `catchUp` derives them again. */
export async function forgetPersons(tables: DerivedTables): Promise<void> {
  await tables.restoreKept()
  // edits that were made before the first event
  for (const edit of await tables.listEdits({ after: -1, upTo: 0 })) await repeatEdit(tables, edit)
  await tables.setMark(0)
}

export async function rebuildPersons(engine: CatchUp): Promise<void> {
  await engine.change(forgetPersons)
  await catchUp(engine)
}

/** Derives the persons and groups of the next events, and repeats the edits between them. */
export async function deriveStep(tables: DerivedTables): Promise<Step | undefined> {
  const mark = await tables.findMark()
  if (mark === undefined) return undefined // another server was faster
  const step = await tables.readStep(mark)
  let after = mark
  for (const edit of await tables.listEdits({ after: mark, upTo: step.upTo })) {
    if (edit.seq > after) await step.derive({ after, upTo: edit.seq })
    await repeatEdit(tables, edit)
    after = edit.seq
  }
  if (step.last > after) await step.derive({ after, upTo: step.last })
  await tables.setMark(Math.max(after, step.last))
  return step
}
