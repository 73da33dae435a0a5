import type { Meta } from '../shared/app.ts'
import type { Settings } from './settings.ts'

const KEY = 'position'

/** Where an import goes on. Kept after each page, once its items are stored. */
export interface Position {
  /** The address to ask next; undefined: the first. */
  readonly next?: string
  /** Newest first: the id that the last whole run began with, where the next one may end. */
  readonly newest?: string
  /** Newest first: the id that the run under way began with. */
  readonly head?: string
}

/** A position belongs to the settings it was reached with. */
const belongsTo = ({ url, paging, pagingParameter, newestFirst }: Settings): string =>
  JSON.stringify([url, paging, pagingParameter, newestFirst])

export async function loadPosition({ storage }: Meta, settings: Settings): Promise<Position> {
  const kept = (await storage.get(KEY)) as (Position & { of?: string }) | undefined | null
  if (kept?.of !== belongsTo(settings)) return {}
  const { next, newest, head } = kept
  return { next, newest, head }
}

export const savePosition = (
  { storage }: Meta,
  settings: Settings,
  position: Position,
): Promise<void> => storage.set(KEY, { ...position, of: belongsTo(settings) })
