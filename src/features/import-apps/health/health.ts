import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { getConfigRow } from '../configs/configs.ts'
import type { ConfigRow } from '../configs/store.ts'
import type { Plugin } from '../plugins/schema.ts'
import { listPluginsById } from '../plugins/store.ts'
import { listConfigTicks } from '../queue/schedule-store.ts'
import { findNextRun, listRuns } from '../runs/schedules/schedules.ts'
import { type ScheduledRun, toPeriod } from '../schedules/ticks.ts'
import type { ImportHealth } from './schema.ts'
import { listLiveConfigs, type RunHistory, readHistory } from './store.ts'

const MINUTE_MS = 60_000

export async function getHealth(db: Db, projectId: number, id: number): Promise<ImportHealth> {
  const [health] = await toHealth(db, [await getConfigRow(db, projectId, id)])
  return health as ImportHealth
}

/** Lists the health of a project's configs, in their order. */
export async function listHealth(
  db: Db,
  projectId: number,
  { limit, offset }: PageRange,
): Promise<Slice<ImportHealth>> {
  const configs = await listLiveConfigs(db, projectId)
  return {
    count: configs.length,
    results: await toHealth(db, configs.slice(offset, offset + limit)),
  }
}

async function toHealth(db: Db, configs: readonly ConfigRow[]): Promise<ImportHealth[]> {
  const plugins = await listPluginsById(
    db,
    configs.map(({ plugin_id }) => plugin_id),
  )
  const ids = configs.map(({ id }) => id)
  const ticks = Map.groupBy(
    ids.length === 0 ? [] : await listConfigTicks(db, ids),
    ({ config_id }) => config_id,
  )
  const all: ImportHealth[] = []
  for (const config of configs) {
    const history = await readHistory(db, config.id)
    const remembered = new Map((ticks.get(config.id) ?? []).map(({ task, tick }) => [task, tick]))
    all.push(describe(config, plugins.get(config.plugin_id), history, remembered))
  }
  return all
}

function describe(
  config: ConfigRow,
  plugin: Plugin | undefined,
  history: RunHistory,
  ticks: ReadonlyMap<string, string>,
): ImportHealth {
  const runs = listRuns(config, plugin)
  const { lastSuccess, lastFailure, failuresInARow } = history
  const last = failuresInARow > 0 ? lastFailure : lastSuccess
  return {
    config_id: config.id,
    name: config.name || plugin?.name || '',
    ...judge(config, runs, history, Date.now()),
    last_success_at: lastSuccess?.finished_at ?? null,
    next_run_at: findNextRun(config, runs, ticks),
    failures_in_a_row: failuresInARow,
    events: last?.events ?? 0,
    event_names: Object.keys(JSON.parse(config.event_shape ?? '{}')),
    skipped: last?.skipped ?? 0,
  }
}

type Judged = Pick<ImportHealth, 'state' | 'since' | 'message'>

export function judge(
  config: Pick<ConfigRow, 'enabled' | 'scheduled_from' | 'expected_every'>,
  runs: readonly ScheduledRun[],
  { lastSuccess, lastFailure, failuresInARow, since }: RunHistory,
  time: number,
): Judged {
  if (config.enabled === 0) return { state: 'paused', since: null, message: '' }
  if (failuresInARow > 0) return { state: 'failing', since, message: lastFailure?.message ?? '' }
  const deadline = findDeadline(config, runs, lastSuccess)
  if (time > deadline) {
    const message = toLateMessage(config, lastSuccess)
    return { state: 'stale', since: new Date(deadline).toISOString(), message }
  }
  if (!lastSuccess) return { state: 'never_ran', since: config.scheduled_from, message: '' }
  return { state: 'healthy', since, message: '' }
}

type LastSuccess = RunHistory['lastSuccess']

/** Finds since when no run has succeeded. An import that was enabled again has not been late before. */
const toLastTime = (config: Pick<ConfigRow, 'scheduled_from'>, lastSuccess: LastSuccess): string =>
  [lastSuccess?.finished_at ?? '', config.scheduled_from].sort().at(-1) as string

export const toLateMessage = (
  config: Pick<ConfigRow, 'scheduled_from'>,
  lastSuccess: LastSuccess,
): string =>
  lastSuccess
    ? `No run has succeeded since ${toLastTime(config, lastSuccess)}.`
    : 'No run has ended yet.'

/** Finds when an import is late: after the expected time or, by default, a minute after its second tick. */
export function findDeadline(
  config: Pick<ConfigRow, 'scheduled_from' | 'expected_every'>,
  runs: readonly ScheduledRun[],
  lastSuccess: LastSuccess,
): number {
  const from = Date.parse(toLastTime(config, lastSuccess))
  if (config.expected_every !== null) return from + toPeriod(config.expected_every)
  const second = runs.flatMap(({ ticks: { next } }) => {
    const first = next(from)
    return first === undefined ? [] : (next(first) ?? [])
  })
  return Math.min(...second) + MINUTE_MS // never, if there is none
}
