import { fillText, MissingValue } from '#apps/connector/fill.ts'
import type { DraftResponse } from '#server/features/import-apps/drafts/schema.ts'
import { type AddressPart, listParts, toStreamName } from './address.ts'
import { readContent } from './content.ts'
import {
  findHosts,
  findList,
  findPaging,
  findRoles,
  isRecord,
  listRecords,
  listValues,
} from './detect.ts'
import { type Draft, listOwnParameters, type Parent } from './draft.ts'
import { toList } from './narrow.ts'

export const MAX_PARENTS = 3

/** One of the lists that are read: that of the draft, or that of a parent. */
export interface Level {
  /** The name of the stream. */
  readonly name: string
  readonly url: string
  /** The parameters that the connector sets. */
  readonly own: readonly string[]
  readonly parts: readonly AddressPart[]
  /** The list above. */
  readonly parent: Parent | undefined
}

/** Lists what is read, that of the draft first and each below the next. */
export function listLevels({ url, key, since, paginate, parents }: Draft): readonly Level[] {
  const lists = [
    { url, own: listOwnParameters({ key, since, paginate }) },
    ...parents.map((parent) => ({
      url: parent.url,
      own: listOwnParameters({ key, paginate: parent.paginate }),
    })),
  ]
  const names = nameStreams(lists.map((list) => list.url))
  return lists.map((list, index) => ({
    ...list,
    name: names[index] as string,
    parts: listParts(list.url, list.own),
    parent: parents[index],
  }))
}

/** Guesses the address of the list above another: its path without the last record and what is below that. */
export function guessAddressAbove(url: string): string {
  const address = URL.parse(url)
  const places = address?.pathname.split('/').filter(Boolean) ?? []
  return address && places.length > 2 ? `${address.origin}/${places.slice(0, -2).join('/')}` : ''
}

/** The server keeps this name for the values of partitions. */
const RESERVED = 'partition'

/** Names each stream by its address, and no two alike. */
function nameStreams(urls: readonly string[]): readonly string[] {
  const taken = new Set([RESERVED])
  return urls.map((url) => {
    const wanted = toStreamName(url)
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`
    taken.add(name)
    return name
  })
}

/** Fills the placeholders of a text from the samples of the parents and the address, as a run does. */
export function fillFromSamples(draft: Draft, text: string): string | null {
  const levels = listLevels(draft)
  const values = levels[0]?.parts.map(({ name, value }) => [name, value]) ?? []
  const above = {
    [RESERVED]: Object.fromEntries(values),
    ...Object.fromEntries(
      draft.parents.map(({ sample }, index) => [levels[index + 1]?.name, sample]),
    ),
  }
  try {
    return fillText(text, (setting) => `{{${setting}}}`, above)
  } catch (error) {
    if (error instanceof MissingValue) return null
    throw error
  }
}

/** The paths that a placeholder can name. */
const NAMEABLE = /^[\w.-]+$/

/** Lists the values of a record that can be a part of an address, by their paths. */
export const listKeys = (record: Parent['sample']): { path: string; value: string }[] =>
  listValues(record)
    .filter(({ path, value }) => NAMEABLE.test(path) && /^(string|number)$/.test(typeof value))
    .map(({ path, value }) => ({ path, value: String(value) }))

/** Adds the list of a response above those of a draft. Returns undefined if the response has no list of records. */
export function withParent(
  draft: Draft,
  url: string,
  response: DraftResponse,
): Pick<Draft, 'parents' | 'hosts'> | undefined {
  const content = readContent(response)
  const list = content && findList(content)
  if (content === undefined || list === undefined) return undefined
  const records = listRecords(content, list).filter(isRecord)
  const [first] = records
  if (!first) return undefined
  const seen = { url, finalUrl: response.url, link: response.link, content }
  const paginate = findPaging(seen)
  const { parts = [] } = listLevels(draft).at(-1) ?? {}
  const found = findKey(records, parts)
  const parent = { url, list, paginate, sample: first, key: findRoles(first).id ?? '', part: '' }
  const hosts = new Set([...toList(draft.hosts), ...findHosts(draft.url, seen, paginate)])
  return { parents: [...draft.parents, { ...parent, ...found }], hosts: [...hosts].join(', ') }
}

/** Finds the value of a record that is a part of the address below. */
function findKey(
  records: readonly Parent['sample'][],
  below: readonly AddressPart[],
): Pick<Parent, 'sample' | 'key' | 'part'> | undefined {
  for (const sample of records) {
    for (const { id: part, value } of below) {
      const keys = listKeys(sample).filter((key) => key.value === value)
      const key = keys.find(({ path }) => path === findRoles(sample).id) ?? keys[0]
      if (key) return { sample, key: key.path, part }
    }
  }
  return undefined
}

export function findMissingOfParents(draft: Draft): string | undefined {
  const origin = URL.parse(draft.url)?.origin
  for (const { parts, parent } of listLevels(draft)) {
    if (!parent) continue
    if (URL.parse(parent.url)?.origin !== origin) return `Parents must begin with ${origin}/.`
    if (parent.key === '') return 'Choose the key of each parent.'
    if (!parts.some(({ id }) => id === parent.part)) {
      return 'Choose where the key of each parent belongs in the address.'
    }
  }
  return undefined
}
