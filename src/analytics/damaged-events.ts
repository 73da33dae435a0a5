import { OperatorError } from '../errors.ts'

/** Events that must not be used until the operator has restored them. */
export class DamagedEventsError extends OperatorError {}

export const missingEvents = (place: string): DamagedEventsError =>
  new DamagedEventsError(
    `The events are missing: there is no ${place}. Restore it from a backup, or run \`hedgerow events forget\` to continue without the events.`,
  )

export const damagedEvents = (place: string, problem: string): DamagedEventsError =>
  new DamagedEventsError(
    `The events in ${place} are damaged (${problem}). Restore a backup; nothing was changed.`,
  )

export const foreignEvents = (place: string): DamagedEventsError =>
  new DamagedEventsError(
    `The events in ${place} belong to another database. Restore the database that belongs to them, or move them away.`,
  )

export const newerEvents = (place: string): DamagedEventsError =>
  new DamagedEventsError(
    `The events in ${place} were stored by a newer version of Hedgerow. Start the newer version, or restore a backup made before it.`,
  )
