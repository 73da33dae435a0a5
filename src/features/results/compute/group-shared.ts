import { toShareKey } from '#server/analytics/queries/share-key.ts'
import type { Computation, SharedComputations } from './compute.ts'

/** With more, one slot would work for long before the first result is seen. */
const MAX_SHARED = 6

/** Groups computations of a project that read the same events. The others are groups of one. */
export function groupShared(computations: readonly Computation[]): SharedComputations[] {
  const first = new Map(computations.toReversed().map((each) => [each.key, each]))
  const isFirst = (each: Computation) => first.get(each.key) === each
  const groups = Map.groupBy(
    computations.filter(isFirst),
    ({ source, key }) => toShareKey(source) ?? key,
  )
  // the same result again joins the computation of the first
  const again = computations.filter((each) => !isFirst(each)).map((each) => [each])
  return [...[...groups.values()].flatMap(inParts), ...again] as unknown as SharedComputations[]
}

const inParts = (group: readonly Computation[]): Computation[][] =>
  Array.from({ length: Math.ceil(group.length / MAX_SHARED) }, (_, part) =>
    group.slice(part * MAX_SHARED, (part + 1) * MAX_SHARED),
  )
