import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json } from '#server/db/values.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { configLog } from '../config-activity.ts'
import { getConfigRow } from '../configs/configs.ts'
import { type ConfigRow, updateConfigRow } from '../configs/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { findPlugin, findReceives } from '../plugins/store.ts'
import { queueRequestRun, queueRequestTest } from '../queue/request-runs.ts'
import type { RunRow } from '../queue/store.ts'
import type { IntakePatch, ReplayRange, WebhookRequest, WebhookRequestDetails } from './schema.ts'
import {
  type AddressRow,
  expireAddress,
  findRequest,
  insertAddress,
  listAddresses,
  listRequests,
  toContent,
  toIntake,
  toWebhookRequest,
} from './store.ts'
import { requeueRequests } from './waiting-store.ts'

export interface WebhookDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly wakeUps: WakeUps
}

/** Returns the address of a config, which is made when it is first asked for. */
export async function getAddress(db: Db, caller: Caller, id: number) {
  const found = await getConfigRow(db, caller.projectId, id)
  const known = await listAddresses(db, id)
  // a change would discard the cached responses of the project
  if (known.some(isCurrent) && (await findReceives(db, found.plugin_id))) {
    return toAddress(db, found, known)
  }
  return changeReceiver(db, caller, id, async (tx, config) =>
    toAddress(tx, config, await listOrAdd(tx, id)),
  )
}

/** Lists the addresses of a config, with a current one. */
async function listOrAdd(tx: Tx, id: number): Promise<readonly AddressRow[]> {
  const addresses = await listAddresses(tx, id)
  return addresses.some(isCurrent) ? addresses : [await insertAddress(tx, id), ...addresses]
}

/** Replaces the address. The old one works for the grace period. */
export function rotateAddress(db: Db, caller: Caller, id: number, graceSeconds: number) {
  return changeReceiver(db, caller, id, async (tx, config, plugin) => {
    await expireAddress(tx, id, graceSeconds)
    await insertAddress(tx, id)
    await configLog.logActivity(tx, caller, { configId: id, plugin }, 'address_rotated')
    return toAddress(tx, config, await listAddresses(tx, id))
  })
}

export function patchIntake(db: Db, caller: Caller, id: number, patch: IntakePatch) {
  return changeReceiver(db, caller, id, async (tx, config, plugin) => {
    const before = toIntake(config.intake)
    const after = { ...before, ...patch }
    const changes = changesBetween('PluginConfig', before, after)
    const row =
      changes.length === 0 ? config : await updateConfigRow(tx, config, { intake: json(after) })
    if (changes.length > 0) {
      await configLog.logActivity(tx, caller, { configId: id, plugin }, 'updated', changes)
    }
    return toAddress(tx, row, await listOrAdd(tx, id))
  })
}

const isCurrent = ({ expires_at }: AddressRow): boolean => expires_at === null

async function toAddress(db: Db, config: ConfigRow, addresses: readonly AddressRow[]) {
  const current = addresses.find(isCurrent) as AddressRow
  const { methods } = (await findReceives(db, config.plugin_id)) ?? { methods: [] }
  return {
    path: toPath(current),
    created_at: current.created_at,
    previous: addresses.flatMap((address) =>
      address.expires_at === null
        ? []
        : [{ path: toPath(address), expires_at: address.expires_at }],
    ),
    methods: [...methods],
    ...toIntake(config.intake),
  }
}

const toPath = ({ token }: AddressRow): string => `/in/${token}`

function changeReceiver<T>(
  db: Db,
  { projectId }: Caller,
  id: number,
  change: (tx: Tx, config: ConfigRow, plugin: Plugin | undefined) => Promise<T>,
): Promise<T> {
  return changeProject(db, projectId, async (tx) => {
    const config = await getConfigRow(tx, projectId, id)
    if (!(await findReceives(tx, config.plugin_id))) {
      throw conflict('The app of this config receives no requests.')
    }
    return change(tx, config, await findPlugin(tx, config.plugin_id))
  })
}

export async function listConfigRequests(
  db: Db,
  {
    projectId,
    id,
    state,
  }: { projectId: number; id: number; state: WebhookRequest['state'] | undefined },
  range: PageRange,
): Promise<Slice<WebhookRequest>> {
  await getConfigRow(db, projectId, id)
  return listRequests(db, id, state, range)
}

export async function getRequest(
  { db, secrets }: Pick<WebhookDeps, 'db' | 'secrets'>,
  { projectId, id, requestId }: { projectId: number; id: number; requestId: number },
): Promise<WebhookRequestDetails> {
  await getConfigRow(db, projectId, id)
  const row = await findRequest(db, id, requestId)
  if (!row) throw notFound('Request')
  return { ...toWebhookRequest(row), ...toContent(secrets, row) }
}

/** Lets the app handle requests again. What they have stored before is not stored twice. */
export async function replayRequests(
  { db, wakeUps }: WebhookDeps,
  caller: Caller,
  id: number,
  range: ReplayRange & { readonly id?: number },
): Promise<number> {
  const replayed = await changeReceiver(db, caller, id, async (tx, config, plugin) => {
    if (config.enabled === 0) throw conflict('The config is disabled. Enable it to run its app.')
    if (range.id !== undefined && !(await findRequest(tx, id, range.id))) throw notFound('Request')
    const count = await requeueRequests(tx, id, range)
    if (count > 0) await queueRequestRun(tx, config)
    const changes = changesBetween('PluginConfig', {}, { replayed: count })
    await configLog.logActivity(tx, caller, { configId: id, plugin }, 'requests_replayed', changes)
    return count
  })
  wakeUps.notify()
  return replayed
}

/** Queues a test run of one request, which stores nothing. */
export async function testRequest(
  { db, wakeUps }: Pick<WebhookDeps, 'db' | 'wakeUps'>,
  caller: Caller,
  { id, requestId }: { readonly id: number; readonly requestId: number },
): Promise<RunRow> {
  const row = await changeReceiver(db, caller, id, async (tx, config) => {
    if (!(await findRequest(tx, id, requestId))) throw notFound('Request')
    return queueRequestTest(tx, config, requestId, caller.userId)
  })
  wakeUps.notify()
  return row
}
