import { isObject, type JsonObject } from '#model/json.ts'
import { type PropertyTexts, parseObject, readPropertyTexts } from '../identity/identity-event.ts'
import { TOO_LARGE } from '../identity/identity-keys.ts'
import {
  GROUP_EVENT,
  GROUP_EVENT_KEYS,
  GROUPS_KEY,
  mayHaveGroups,
  toGroupKey,
} from './group-keys.ts'

/** The changes that an event makes to a group. */
export interface GroupEvent {
  readonly projectId: number
  readonly distinctId: string
  readonly type: string
  readonly key: string
  readonly timestamp: number
  readonly set: JsonObject
  readonly unset: readonly string[]
  /** Whether its changes exceeded the searchable part of an event. */
  readonly isTooLarge: boolean
}

/** Returns undefined for an event that names no group. `texts` are the values of `GROUP_EVENT_KEYS`. */
export function toGroupEvent(
  event: Pick<GroupEvent, 'projectId' | 'distinctId' | 'timestamp'>,
  [type, key, set]: PropertyTexts,
): GroupEvent | undefined {
  if (!type || !key) return undefined
  const { projectId, distinctId, timestamp } = event
  return {
    projectId,
    distinctId,
    timestamp,
    type,
    key: toGroupKey(key),
    set: parseObject(set),
    unset: [],
    isTooLarge: set === TOO_LARGE,
  }
}

const NO_TYPES: readonly string[] = []

/** Reads the types of groups that an event names. */
export function readGroupTypes(event: string, properties: string): readonly string[] {
  if (!mayHaveGroups(event, properties)) return NO_TYPES
  const groups: unknown = (JSON.parse(properties) as JsonObject)[GROUPS_KEY]
  const [type] = event === GROUP_EVENT ? readPropertyTexts(properties, GROUP_EVENT_KEYS) : []
  return [...(isObject(groups) ? Object.keys(groups) : []), ...(type ? [type] : [])]
}
