import type { DraftResponse } from '#server/features/import-apps/drafts/schema.ts'
import { toStreamName } from './address.ts'
import { findHosts, findList, findPaging, findRoles, listRecords } from './detect.ts'
import type { Draft } from './draft.ts'

/** Reads the body as JSON; undefined if it is none, or an error of the API. */
export function readContent({ status, body }: DraftResponse): object | undefined {
  if (status >= 400) return undefined
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Adds to a draft what the first response shows. What was chosen before stays. */
export function withGuesses(draft: Draft, response: DraftResponse): Draft {
  const content = readContent(response)
  if (content === undefined || draft.list !== undefined) return draft
  const list = findList(content)
  const seen = { finalUrl: response.url, link: response.link, content }
  const paginate = findPaging({ url: draft.url, ...seen })
  return {
    ...draft,
    list,
    roles: list === undefined ? {} : findRoles(listRecords(content, list)[0]),
    paginate,
    hosts: draft.hosts || findHosts(draft.url, seen, paginate).join(', '),
    event: draft.event || toStreamName(draft.url),
    name: draft.name || (URL.parse(draft.url)?.hostname ?? ''),
  }
}
