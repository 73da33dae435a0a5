/** The properties that have a column in `facts`, starting with `p0`. */
export type PropertyKeys = readonly string[]

/** Properties that most tiles and the page *Web* use, materialized from the start. */
export const DEFAULT_KEYS: PropertyKeys = [
  '$browser',
  '$current_url',
  '$device_type',
  '$geoip_country_code',
  '$os',
  '$pathname',
  '$referring_domain',
  '$session_id',
  'gad_source',
  'gclid',
  'utm_campaign',
  'utm_medium',
  'utm_source',
]

/** A column costs little, but more of them make each rebuild slower. */
export const MAX_KEYS = 60
/** Lets the tiles of a newly opened dashboard share one rebuild. */
const WAIT_MS = 2000

export interface MaterializedProperties {
  keys(): PropertyKeys
  /** Records which properties a query reads; those without a column get one soon. */
  note(keys: readonly string[]): void
  close(): Promise<void>
}

/**
 * Adds columns for the properties that queries read. Columns are only appended, so statements compiled before a rebuild
 * still work after it. `rebuild` calls `adopt` when the new columns exist.
 */
export function createMaterializedProperties(
  initial: PropertyKeys,
  rebuild: (keys: PropertyKeys, adopt: () => void) => Promise<void>,
): MaterializedProperties {
  let current = initial
  let wanted: readonly string[] = []
  let timer: NodeJS.Timeout | undefined
  let rebuilding: Promise<void> | undefined

  async function addWanted(): Promise<void> {
    const keys = [...current, ...wanted].slice(0, MAX_KEYS)
    wanted = []
    await rebuild(keys, () => {
      current = keys
    })
  }

  return {
    keys: () => current,
    note(keys) {
      const fresh = keys.filter((key) => !current.includes(key) && !wanted.includes(key))
      if (fresh.length === 0 || current.length + wanted.length >= MAX_KEYS) return
      wanted = [...wanted, ...new Set(fresh)]
      clearTimeout(timer)
      timer = setTimeout(() => {
        // after a failure, queries keep reading the JSON, and the next one tries again
        rebuilding = addWanted().catch(() => {})
      }, WAIT_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      await rebuilding
    },
  }
}
