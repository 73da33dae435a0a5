import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { chunksOf, json, laterThan, MAX_VALUES_PER_STATEMENT } from '#server/db/values.ts'
import { ApiError, conflict, invalid } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { DEFAULT_LIMITS } from '#server/runtime/limits.ts'
import { configLog } from '../config-activity.ts'
import { getConfigRow } from '../configs/configs.ts'
import { updateConfigRow } from '../configs/store.ts'
import { findPlugin } from '../plugins/store.ts'
import { type ImportState, type ImportStatePut, MAX_KEY_LENGTH } from './schema.ts'
import {
  deleteEntries,
  findTotal,
  holdRuns,
  insertEntries,
  listEntries,
  lockTotal,
  type StateTotal,
  toSize,
  updateTotal,
} from './store.ts'

/** Keeps a response small. An app usually stores a cursor. */
const MAX_SHOWN_MIB = 8

export async function getState(db: Db, projectId: number, id: number): Promise<ImportState> {
  await getConfigRow(db, projectId, id)
  const { bytes, version } = await findTotal(db, id)
  if (bytes > MAX_SHOWN_MIB * 1024 * 1024) {
    throw conflict(`The state is larger than ${MAX_SHOWN_MIB} MiB. It can only be deleted.`)
  }
  const entries = await listEntries(db, id)
  return {
    version,
    bytes,
    state: Object.fromEntries(entries.map(({ key, value }) => [key, JSON.parse(value)])),
  }
}

/** Replaces the whole state of a config, if it still has this version. */
export function putState(
  db: Db,
  caller: Caller,
  id: number,
  { version, state }: ImportStatePut,
): Promise<ImportState> {
  const entries = Object.entries(state).map(([key, value]) => toEntry(key, json(value)))
  return changeState(db, caller, { id, version, activity: 'state_changed' }, async (tx) => {
    await deleteEntries(tx, id)
    for (const some of chunksOf(entries, MAX_VALUES_PER_STATEMENT)) {
      await insertEntries(tx, id, some)
    }
    const bytes = entries.reduce((total, { size }) => total + size, 0)
    await updateTotal(tx, id, bytes)
    return getState(tx, caller.projectId, id)
  })
}

/** Deletes the state, so that the next run starts as the first did. */
export function removeState(
  db: Db,
  caller: Caller,
  id: number,
  version: number | undefined,
): Promise<void> {
  return changeState(db, caller, { id, version, activity: 'state_deleted' }, async (tx) => {
    await deleteEntries(tx, id)
    await updateTotal(tx, id, 0)
  })
}

function toEntry(key: string, value: string) {
  if (key.length > MAX_KEY_LENGTH) {
    throw invalid('state', `A key has at most ${MAX_KEY_LENGTH} characters.`, 'max_length')
  }
  if (value.length > DEFAULT_LIMITS.maxStoredValueLength) {
    const most = DEFAULT_LIMITS.maxStoredValueLength
    throw invalid('state', `The value of "${key}" is larger than ${most} bytes.`, 'max_length')
  }
  return { key, value, size: toSize(key, value) }
}

interface StateChange {
  readonly id: number
  /** undefined: whichever it has. */
  readonly version: number | undefined
  readonly activity: 'state_changed' | 'state_deleted'
}

function changeState<T>(
  db: Db,
  caller: Caller,
  { id, version, activity }: StateChange,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, id)
    const { isActive } = await holdRuns(tx, id)
    if (isActive) {
      throw conflict(
        'A run of this config is active and may overwrite its state. Cancel it or wait until it has ended.',
      )
    }
    const before = await findTotal(tx, id)
    requireVersion(before, version)
    await lockTotal(tx, id)
    const result = await change(tx)
    // a new version ends the app's process, which may remember the old state
    await updateConfigRow(tx, config, { updated_at: laterThan(config.updated_at) })
    const plugin = await findPlugin(tx, config.plugin_id)
    const changes = toChanges(before, await findTotal(tx, id))
    await configLog.logActivity(tx, caller, { configId: id, plugin }, activity, changes)
    return result
  })
}

function requireVersion(total: StateTotal, version: number | undefined): void {
  if (version === undefined || version === total.version) return
  throw new ApiError(
    'version_conflict',
    `The state has version ${total.version}, not ${version}. Read it again.`,
    'version',
  )
}

/** The log names sizes only, because an app may store secrets. */
const toChanges = (before: StateTotal, after: StateTotal) =>
  changesBetween('PluginConfig', toLogged(before), toLogged(after))

const toLogged = ({ bytes, version }: StateTotal) => ({
  state_version: version,
  state_bytes: bytes,
})
