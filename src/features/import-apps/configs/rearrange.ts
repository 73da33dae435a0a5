import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Tx } from '#server/db/schema.ts'
import { laterThan } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { toChange } from '#server/features/activity/store.ts'
import { toId } from '#server/http/ids.ts'
import { configLog } from '../config-activity.ts'
import { listPluginsById } from '../plugins/store.ts'
import { toConfigs } from './representation.ts'
import { MAX_ORDER, MIN_ORDER, type PipelineConfig, type Rearrangement } from './schema.ts'
import {
  type ConfigDeps,
  type ConfigWithSettings,
  listAllConfigsWithSettings,
  updateConfig,
} from './store.ts'

/** Changes all orders or none. Returns every config that is not in the trash, in the new order. */
export function rearrangeConfigs(
  { db, secrets }: ConfigDeps,
  caller: Caller,
  rearrangement: Rearrangement,
): Promise<PipelineConfig[]> {
  const { projectId } = caller
  return changeProject(db, projectId, async (tx) => {
    const rows = await listAllConfigsWithSettings(tx, secrets, projectId)
    const orders = toOrders(rows, rearrangement)
    const moved = rows.filter(({ id, position }) => (orders.get(id) ?? position) !== position)
    await moveConfigs({ db: tx, secrets }, caller, moved, orders)
    const live = (await listAllConfigsWithSettings(tx, secrets, projectId)).filter(
      ({ deleted }) => !deleted,
    )
    return toConfigs(tx, projectId, live)
  })
}

type Orders = ReadonlyMap<number, number>

function toOrders(
  rows: readonly ConfigWithSettings[],
  { orders, plugin, order }: Rearrangement,
): Orders {
  if (orders) return requireOrders(rows, orders)
  if (plugin === undefined || order === undefined) return new Map()
  const matching = rows.filter(({ plugin_id }) => plugin_id === plugin)
  if (matching.length === 0) throw invalid('plugin', unknownId(String(plugin)), 'does_not_exist')
  return new Map(matching.map(({ id }) => [id, order]))
}

function requireOrders(
  rows: readonly ConfigWithSettings[],
  orders: Record<string, unknown>,
): Orders {
  const known = new Set(rows.map(({ id }) => id))
  return new Map(
    Object.entries(orders).map(([key, order]) => {
      const id = toId(key)
      // "01" would be another spelling of 1
      if (id === undefined || !known.has(id) || String(id) !== key) {
        throw invalid('orders', unknownId(key), 'does_not_exist')
      }
      return [id, requireOrder(order)]
    }),
  )
}

const unknownId = (id: string): string =>
  `Invalid pk "${id.slice(0, 200)}" - object does not exist.`

function requireOrder(order: unknown): number {
  if (typeof order !== 'number' || !Number.isInteger(order)) {
    throw invalid('orders', 'A valid integer is required.')
  }
  if (order > MAX_ORDER) {
    const detail = `Ensure this value is less than or equal to ${MAX_ORDER}.`
    throw invalid('orders', detail, 'max_value')
  }
  if (order < MIN_ORDER) {
    const detail = `Ensure this value is greater than or equal to ${MIN_ORDER}.`
    throw invalid('orders', detail, 'min_value')
  }
  return order
}

async function moveConfigs(
  deps: ConfigDeps & { readonly db: Tx },
  caller: Caller,
  rows: readonly ConfigWithSettings[],
  orders: Orders,
): Promise<void> {
  const plugins = await listPluginsById(
    deps.db,
    rows.map((row) => row.plugin_id),
  )
  for (const row of rows) {
    const position = orders.get(row.id)
    await updateConfig(deps, row, { position, updated_at: laterThan(row.updated_at) })
    const logged = { configId: row.id, plugin: plugins.get(row.plugin_id) }
    const changes = [toChange('Plugin', 'order', row.position, position)]
    await configLog.logActivity(deps.db, caller, logged, 'order_changed', changes)
  }
}
