import { type Countable, countedGroupType } from '#model/actors/counted-groups.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import { invalid } from '#server/errors.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import { GROUP_COLUMNS } from './actor-columns.ts'
import { toActorPageJson } from './actor-representation.ts'
import { listGroupPage } from './group-store.ts'
import { parseColumns, parseOrders } from './list-columns.ts'
import type { ActorSource, ParsedActors } from './parse-source.ts'
import { toPageRange, toRowSource } from './row-page.ts'
import type { RowSource } from './run-source.ts'

/** Returns the type of the groups that a number counts; undefined if it counts persons. */
export const groupTypeOf = (source: ActorSource | undefined): number | undefined =>
  source && countedGroupType(source.source as Countable, source.point.series ?? 0)

/** Lists the groups behind a number. `index` is their type. */
export function toGroupRows(
  { query, source, attr, notApplied }: ParsedActors,
  index: number,
): RowSource<JsonText> {
  for (const key of ['properties', 'fixedProperties'] as const) {
    if (hasEffect(query[key])) {
      throw invalid(`${attr}__${key}`, 'Groups cannot be filtered by properties of persons.')
    }
  }
  const range = toPageRange(query)
  const columns = parseColumns(GROUP_COLUMNS, query.select ?? ['actor'], `${attr}__select`)
  const orders = parseOrders(GROUP_COLUMNS, query.orderBy ?? [], `${attr}__orderBy`)
  const search = query.search ?? undefined
  return toRowSource({
    attr,
    source,
    notApplied,
    range,
    columns,
    createReader: () => (run, set) =>
      listGroupPage(run, { set: set as ActorSet, index, search, orders }, range),
    toJson: toActorPageJson,
  })
}
