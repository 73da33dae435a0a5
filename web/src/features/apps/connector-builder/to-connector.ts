import { toStreamAddress } from './address.ts'
import type { Draft, Key, Paginate } from './draft.ts'
import { toFilter, toList, toPartitions } from './narrow.ts'
import { type Level, listLevels } from './parents.ts'
import { followSteps, toTransform } from './steps.ts'

/** Returns the content of `connector.yaml`. */
export function toConnector(draft: Draft): object {
  const { url, key, hosts, parents } = draft
  const otherHosts = toList(hosts)
  const [own, ...above] = listLevels(draft)
  const parentStreams = above.map((level, index) =>
    toReading(level, parents[index] ?? {}, above[index + 1]),
  )
  return {
    base_url: new URL(url).origin,
    hosts: otherHosts.length > 0 ? otherHosts : undefined,
    auth: toAuth(key),
    streams: [...parentStreams.toReversed(), ...(own ? [toStream(draft, own, above[0])] : [])],
  }
}

/** The stream of the draft's own list, whose records become events. */
function toStream(draft: Draft, level: Level, above: Level | undefined): object {
  const { roles, event, filter, parts, steps } = draft
  const known = level.parts.filter(({ id }) => id !== level.parent?.part)
  const { partitions, placeholders } = toPartitions(parts, known)
  const after = (path: string | undefined) => path && followSteps(path, steps)
  return {
    ...toReading(level, draft, above, placeholders),
    partitions,
    incremental: toIncremental(draft),
    primary_key: roles.id,
    filter: toFilter(filter),
    transform: steps.length > 0 ? toTransform(steps) : undefined,
    to: { event: event.trim(), person: after(roles.person), time: after(roles.time) },
  }
}

interface Listed {
  readonly list?: string | undefined
  readonly paginate?: Paginate
}

/** Returns the part of a stream that says where its records are: once for each record of the list above. */
function toReading(
  { name, url, own, parent }: Level,
  { list, paginate = {} }: Listed,
  above: Level | undefined,
  placeholders: readonly (readonly [id: string, text: string])[] = [],
): object {
  const key = parent && above ? [[parent.part, `{{${above.name}.${parent.key}}}`] as const] : []
  return {
    name,
    parent: above && { stream: above.name },
    ...toStreamAddress(url, own, new Map([...placeholders, ...key])),
    records: list || undefined,
    paginate: Object.keys(paginate).length > 0 ? paginate : undefined,
  }
}

/** Needs the time of a record to know the latest. */
function toIncremental({ roles, since: { parameter, format } }: Draft): object | undefined {
  if (roles.time === undefined || parameter === '') return undefined
  return { field: roles.time, parameter, format }
}

function toAuth({ kind, name }: Key): object | undefined {
  switch (kind) {
    case 'none':
      return undefined
    case 'bearer':
      return { bearer: 'key' }
    case 'basic':
      return { basic: { user: 'user', password: 'key' } }
    case 'header':
    case 'query':
      return { [kind]: { name, setting: 'key' } }
  }
}
