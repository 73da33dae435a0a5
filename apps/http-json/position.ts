import type { Meta } from '../shared/app.ts'
import type { Settings } from './settings.ts'

const KEY = 'position'

/** The position at which the next run continues. Saved after each page, once its items are stored. */
export interface Position {
  /** The URL of the next page; undefined for the first. */
  readonly next?: string
  /** Newest first: the first ID of the last complete run, at which the next run stops. */
  readonly newest?: string
  /** Newest first: the first ID of the current run. */
  readonly head?: string
}

/** Identifies the settings to which a position belongs. */
const toOwner = ({ url, paging, pagingParameter, newestFirst }: Settings): string =>
  JSON.stringify([url, paging, pagingParameter, newestFirst])

export async function loadPosition({ storage }: Meta, settings: Settings): Promise<Position> {
  const kept = (await storage.get(KEY)) as (Position & { of?: string }) | undefined | null
  if (kept?.of !== toOwner(settings)) return {}
  const { next, newest, head } = kept
  return { next, newest, head }
}

export const savePosition = (
  { storage }: Meta,
  settings: Settings,
  position: Position,
): Promise<void> => storage.set(KEY, { ...position, of: toOwner(settings) })
