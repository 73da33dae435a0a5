import { type Countable, countedGroupType } from '#model/counted-groups.ts'
import type { Caller } from '#server/access/guard.ts'
import type { PageRange } from '#server/db/page-range.ts'
import { invalid } from '#server/errors.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import { GROUP_COLUMNS } from './actor-columns.ts'
import { toActorPageJson } from './actor-representation.ts'
import {
  type ActorDeps,
  type ActorRequest,
  compileSource,
  inSlot,
  loadContext,
} from './compile-source.ts'
import { listGroupPage } from './group-store.ts'
import { parseColumns, parseOrders } from './list-columns.ts'
import type { ParsedActors } from './parse-actors.ts'
import type { ActorSource } from './parse-source.ts'
import { writeRows } from './row-page.ts'

/** Returns the type of the groups that a number counts; undefined if it counts persons. */
export const groupTypeOf = ({ source, point }: ActorSource): number | undefined =>
  countedGroupType(source as Countable, point.series ?? 0)

interface GroupsRequest extends Pick<ActorRequest, 'requester' | 'signal'> {
  readonly parsed: ParsedActors & { readonly source: ActorSource; readonly groupType: number }
  readonly range: PageRange
}

/** Lists the groups behind a number. */
export function listGroupActors(
  deps: ActorDeps,
  caller: Caller,
  { parsed, range, requester, signal }: GroupsRequest,
): Promise<JsonText> {
  const { query, source, attr, unreached, groupType: index } = parsed
  for (const key of ['properties', 'fixedProperties'] as const) {
    if (hasEffect(query[key])) {
      throw invalid(`${attr}__${key}`, 'Groups cannot be filtered by properties of persons.')
    }
  }
  const columns = parseColumns(GROUP_COLUMNS, query.select ?? ['actor'], `${attr}__select`)
  const orders = parseOrders(GROUP_COLUMNS, query.orderBy ?? [], `${attr}__orderBy`)
  return inSlot(deps, caller, { source, requester, signal }, async (run) => {
    const context = await loadContext(deps, caller, source)
    const set = await compileSource(run, source, context)
    const selection = { set, index, search: query.search ?? undefined, orders }
    const { rows: groups, hasMore } = await listGroupPage(run, selection, range)
    const rows = await writeRows(groups, columns, attr)
    return toActorPageJson({ rows, hasMore, ...range, columns, zone: context.zone, unreached })
  })
}
