import { isObject, type JsonObject } from '#model/json.ts'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { invalid, required } from '#server/errors.ts'
import { type EventContext, type EventPath, isUuid, toNewEvent } from './event.ts'
import { type CaptureRequest, parseRequest } from './request.ts'

/** The properties that clients of `/i/v1/analytics/events` send as options, by the name of the option. */
const OPTIONS = {
  cookieless_mode: '$cookieless_mode',
  disable_skew_correction: '$ignore_sent_at',
  process_person_profile: '$process_person_profile',
  product_tour_id: '$product_tour_id',
}

/** Accepts only a batch. */
export function parseV1Request(body: unknown): CaptureRequest {
  if (!isObject(body) || body.batch === undefined) throw required('batch')
  return { ...parseRequest(body), token: undefined }
}

/** Converts an event of `/i/v1/analytics/events`, which has fields for what `/batch` has properties for. */
export function toV1Event(raw: unknown, _path: EventPath, context: EventContext): NewEvent {
  // the response names each event by its UUID, so its position does not matter
  const path = () => ''
  if (!isObject(raw)) return toNewEvent(raw, path, context)
  const { uuid, session_id, window_id, options, properties = {}, ...rest } = raw
  if (uuid !== undefined && (typeof uuid !== 'string' || !isUuid(uuid))) {
    throw invalid('uuid', 'Must be a valid UUID.')
  }
  if (!isObject(properties)) return toNewEvent({ ...rest, uuid, properties }, path, context)
  const own = {
    ...toLibrary(context.library),
    ...toPresent({ $session_id: session_id, $window_id: window_id }),
    ...toOptions(options),
  }
  return toNewEvent({ ...rest, uuid, properties: { ...own, ...properties } }, path, context)
}

function toLibrary(library: string | undefined): JsonObject {
  const [$lib, $lib_version] = library?.split('/', 2) ?? []
  return toPresent({ $lib, $lib_version })
}

const toOptions = (options: unknown): JsonObject =>
  isObject(options)
    ? toPresent(
        Object.fromEntries(
          Object.entries(OPTIONS).map(([option, property]) => [property, options[option]]),
        ),
      )
    : {}

const toPresent = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
