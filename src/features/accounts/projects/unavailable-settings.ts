import { isDeepStrictEqual } from 'node:util'
import { type Static, type TSchema, Type } from 'typebox'
import { invalid } from '#server/errors.ts'
import { toJsonText } from '#server/http/json-text.ts'
import { AnyObject } from '#server/http/schemas.ts'

const off = { description: 'Not available: always off.' }
const Switch = Type.Boolean(off)
const Domains = Type.Array(Type.String(), off)

function unavailable<Kind extends TSchema>(schema: Kind, value: Static<Kind>) {
  const text = toJsonText(value)
  return { schema, write: schema, value, read: () => text }
}

/** Settings of PostHog's projects for features that Hedgerow does not have. Clients read them as off. */
export const unavailableFields = {
  session_recording_opt_in: unavailable(Switch, false),
  session_recording_network_payload_capture_config: unavailable(
    Type.Union([AnyObject, Type.Null()], off),
    null,
  ),
  capture_performance_opt_in: unavailable(Switch, false),
  recording_domains: unavailable(Domains, []),
  heatmaps_opt_in: unavailable(Switch, false),
  surveys_opt_in: unavailable(Switch, false),
  autocapture_exceptions_opt_in: unavailable(Switch, false),
  autocapture_web_vitals_opt_in: unavailable(Switch, false),
  cookieless_server_hash_mode: unavailable(Type.Integer({ ...off, minimum: 0, maximum: 2 }), 0),
  app_urls: unavailable(Domains, []),
  test_account_filters_default_checked: unavailable(Switch, false),
}

/** Refuses to turn on a setting that would have no effect. */
export function requireUnavailableOff(settings: Readonly<Record<string, unknown>>): void {
  for (const [name, { value }] of Object.entries(unavailableFields)) {
    if (!(name in settings) || isDeepStrictEqual(settings[name], value)) continue
    throw invalid(
      name,
      `Hedgerow does not have this setting: only ${JSON.stringify(value)} is accepted.`,
    )
  }
}
