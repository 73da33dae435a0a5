import { hash } from 'node:crypto'
import { isObject, type JsonObject } from '#model/json.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { invalid, required } from '#server/errors.ts'
import { type EventContext, type EventPath, isUuid, toAttr, toNewEvent } from '../event.ts'
import { toContextProperties, toPageProperties, toScalars } from './context.ts'

export const MESSAGE_TYPES = ['track', 'identify', 'page', 'screen', 'group', 'alias'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** The type of groups whose type a message does not name: Segment's groups are companies. */
const GROUP_TYPE = 'company'

interface Message {
  readonly raw: JsonObject
  readonly path: EventPath
  readonly properties: JsonObject
  readonly traits: JsonObject
  readonly context: JsonObject
  readonly userId: unknown
  readonly anonymousId: unknown
  readonly timestamp: unknown
  readonly originalTimestamp: unknown
}

/** The name and special properties of the event that a message becomes. */
interface Outcome {
  readonly event: unknown
  readonly properties: JsonObject
}

/** Converts a message of Segment's protocol to an event. */
export function toSegmentEvent(
  raw: unknown,
  path: EventPath,
  eventContext: EventContext,
  endpointType: MessageType | undefined,
): NewEvent {
  if (!isObject(raw)) throw invalid(path() || null, 'Expected a dictionary of items.', 'not_a_dict')
  const type = endpointType ?? toType(raw.type, path)
  const message = readMessage(raw, path)
  const { userId, anonymousId, context } = message
  const distinctId = userId ?? anonymousId
  if (distinctId === undefined) throw required(toAttr(path, 'userId'))
  const outcome = CONVERSIONS[type](message)
  const event = {
    event: outcome.event,
    distinct_id: distinctId,
    uuid: toUuid(raw.messageId),
    timestamp: message.timestamp ?? message.originalTimestamp,
    properties: {
      ...(anonymousId !== undefined && { $device_id: anonymousId }),
      ...toContextProperties(context),
      ...toCurrentGroup(context.groupId),
      ...outcome.properties,
    },
  }
  // with both, `timestamp` is right: Segment has corrected it, or the caller of RudderStack's client has set it
  const isCorrected = message.timestamp !== undefined && message.originalTimestamp !== undefined
  return toNewEvent(event, path, isCorrected ? { ...eventContext, skew: 0 } : eventContext)
}

const CONVERSIONS: Readonly<Record<MessageType, (message: Message) => Outcome>> = {
  track: (message) => ({
    event: message.raw.event,
    properties: { ...message.properties, ...toSet(message) },
  }),
  identify: (message) => ({
    event: message.userId === undefined ? '$set' : '$identify',
    properties: { ...toMergedId(message), ...toSet(message) },
  }),
  page: (message) => ({
    event: '$pageview',
    properties: {
      ...toPageProperties(message.properties),
      ...toNames(message.raw),
      ...message.properties,
      ...toSet(message),
    },
  }),
  screen: (message) => ({
    event: '$screen',
    properties: {
      ...toScalars({ $screen_name: message.raw.name ?? message.properties.name }),
      ...toNames(message.raw),
      ...message.properties,
      ...toSet(message),
    },
  }),
  group: ({ raw, path, traits }) => {
    const { groupType: named, ...set } = traits
    const type = typeof named === 'string' && named !== '' ? named : GROUP_TYPE
    const key = toPresent(raw.groupId)
    if (key === undefined) throw required(toAttr(path, 'groupId'))
    return {
      event: '$groupidentify',
      properties: {
        $group_type: type,
        $group_key: String(key),
        $group_set: set,
        $groups: { [type]: String(key) },
      },
    }
  },
  alias: ({ raw, path, userId, anonymousId }) => {
    const alias = toPresent(raw.previousId) ?? anonymousId
    if (userId === undefined) throw required(toAttr(path, 'userId'))
    if (alias === undefined) throw required(toAttr(path, 'previousId'))
    return { event: '$create_alias', properties: { alias: String(alias) } }
  },
}

function toType(type: unknown, path: EventPath): MessageType {
  const known = MESSAGE_TYPES.find((name) => name === type)
  if (known) return known
  if (type === undefined) throw required(toAttr(path, 'type'))
  throw invalid(
    toAttr(path, 'type'),
    `Must be one of ${MESSAGE_TYPES.join(', ')}.`,
    'invalid_choice',
  )
}

function readMessage(raw: JsonObject, path: EventPath): Message {
  const read = (name: string): JsonObject => {
    const value = raw[name] ?? {}
    if (isObject(value)) return value
    throw invalid(toAttr(path, name), 'Expected a dictionary of items.', 'not_a_dict')
  }
  return {
    raw,
    path,
    properties: read('properties'),
    traits: read('traits'),
    context: read('context'),
    userId: toPresent(raw.userId),
    anonymousId: toPresent(raw.anonymousId),
    timestamp: toPresent(raw.timestamp),
    originalTimestamp: toPresent(raw.originalTimestamp),
  }
}

const toPresent = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** Traits belong to the person: those of an identify call, and those that other calls carry in their context. */
function toSet({ traits, context }: Message): JsonObject {
  const carried = isObject(context.traits) ? context.traits : {}
  const $set = { ...carried, ...traits }
  return Object.keys($set).length > 0 ? { $set } : {}
}

const toMergedId = ({ userId, anonymousId }: Message): JsonObject =>
  anonymousId === undefined || userId === undefined || anonymousId === userId
    ? {}
    : { $anon_distinct_id: String(anonymousId) }

const toNames = ({ name, category }: JsonObject): JsonObject => toScalars({ name, category })

const toCurrentGroup = (groupId: unknown): JsonObject =>
  typeof groupId === 'string' && groupId !== '' ? { $groups: { [GROUP_TYPE]: groupId } } : {}

/** Derives the same UUID from equal IDs, so that a message that is sent again is stored once. */
function toUuid(messageId: unknown): string | undefined {
  if (typeof messageId !== 'string' || messageId === '') return undefined
  if (isUuid(messageId)) return messageId
  const digits = hash('sha256', messageId)
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
