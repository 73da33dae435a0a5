import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { invalid } from '#server/errors.ts'
import { AnyObject } from '#server/http/schemas.ts'

/** Settings of PostHog's projects for features that Hedgerow does not have. Clients read them as off. */
export const UNAVAILABLE = {
  session_recording_opt_in: false,
  session_recording_network_payload_capture_config: null,
  capture_performance_opt_in: false,
  recording_domains: [] as string[],
  heatmaps_opt_in: false,
  surveys_opt_in: false,
  autocapture_exceptions_opt_in: false,
  autocapture_web_vitals_opt_in: false,
  cookieless_server_hash_mode: 0,
  app_urls: [] as string[],
  test_account_filters_default_checked: false,
}

const off = { description: 'Not available: always off.' }
const Switch = Type.Boolean(off)
const Domains = Type.Array(Type.String(), off)

export const UnavailableSettings = Type.Object({
  session_recording_opt_in: Switch,
  session_recording_network_payload_capture_config: Type.Union([AnyObject, Type.Null()], off),
  capture_performance_opt_in: Switch,
  recording_domains: Domains,
  heatmaps_opt_in: Switch,
  surveys_opt_in: Switch,
  autocapture_exceptions_opt_in: Switch,
  autocapture_web_vitals_opt_in: Switch,
  cookieless_server_hash_mode: Type.Integer(off),
  app_urls: Domains,
  test_account_filters_default_checked: Switch,
})

/** Refuses to turn on a setting that would have no effect. */
export function requireUnavailableOff(settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(UNAVAILABLE)) {
    if (!(name in settings) || isDeepStrictEqual(settings[name], value)) continue
    throw invalid(
      name,
      `Hedgerow does not have this setting: only ${JSON.stringify(value)} is accepted.`,
    )
  }
}
