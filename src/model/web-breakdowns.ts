/** A way to divide visits, and the property by which a value filters them. */
interface BreakdownOfVisits {
  readonly label: string
  readonly filter: { readonly type: 'event' | 'session'; readonly key: string }
}

const ofSession = (label: string, key: string): BreakdownOfVisits => ({
  label,
  filter: { type: 'session', key },
})
const ofEvent = (label: string, key: string): BreakdownOfVisits => ({
  label,
  filter: { type: 'event', key },
})

/** The breakdowns of `WebStatsTableQuery`, by PostHog's names. */
export const WEB_BREAKDOWNS = {
  Page: ofEvent('Page', '$pathname'),
  InitialPage: ofSession('Entry page', '$entry_pathname'),
  ExitPage: ofSession('Exit page', '$exit_pathname'),
  InitialChannelType: ofSession('Channel', '$channel_type'),
  InitialReferringDomain: ofSession('Referrer', '$entry_referring_domain'),
  InitialUTMSource: ofSession('UTM source', '$entry_utm_source'),
  InitialUTMMedium: ofSession('UTM medium', '$entry_utm_medium'),
  InitialUTMCampaign: ofSession('UTM campaign', '$entry_utm_campaign'),
  InitialUTMTerm: ofSession('UTM term', '$entry_utm_term'),
  InitialUTMContent: ofSession('UTM content', '$entry_utm_content'),
  Country: ofEvent('Country', '$geoip_country_code'),
  Region: ofEvent('Region', '$geoip_subdivision_1_name'),
  City: ofEvent('City', '$geoip_city_name'),
  DeviceType: ofEvent('Device', '$device_type'),
  Browser: ofEvent('Browser', '$browser'),
  OS: ofEvent('OS', '$os'),
} as const satisfies Readonly<Record<string, BreakdownOfVisits>>

export type WebBreakdown = keyof typeof WEB_BREAKDOWNS
