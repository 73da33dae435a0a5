import { sql } from 'kysely'
import type { WebBreakdown } from '#model/web-breakdowns.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { toChannel } from '#server/analytics/sessions/channel.ts'
import type { FieldName } from '#server/analytics/sessions/select-sessions.ts'

/** The breakdowns by a text that a visit has once. */
export type VisitBreakdown = Exclude<WebBreakdown, 'Page'>

const FIELDS: Readonly<Record<Exclude<VisitBreakdown, 'InitialChannelType'>, FieldName>> = {
  InitialPage: 'entry_path',
  ExitPage: 'exit_path',
  InitialReferringDomain: 'domain',
  InitialUTMSource: 'source',
  InitialUTMMedium: 'medium',
  InitialUTMCampaign: 'campaign',
  InitialUTMTerm: 'term',
  InitialUTMContent: 'content',
  Country: 'country',
  Region: 'region',
  City: 'city',
  DeviceType: 'device',
  Browser: 'browser',
  OS: 'os',
}

const CHANNEL: readonly FieldName[] = ['domain', 'source', 'medium', 'campaign', 'ad_click']

export const fieldsOfBreakdown = (breakdown: VisitBreakdown): readonly FieldName[] =>
  breakdown === 'InitialChannelType' ? CHANNEL : [FIELDS[breakdown]]

/** Selects the text of a visit `s`; null if it has none. */
export function toVisitText(table: EventTable, breakdown: VisitBreakdown): Sql {
  if (breakdown !== 'InitialChannelType') {
    return sql`nullif(s.${sql.raw(FIELDS[breakdown])}, '')`
  }
  return toChannel(table, {
    domain: sql`s.domain`,
    source: sql`s.source`,
    medium: sql`s.medium`,
    campaign: sql`s.campaign`,
    adClick: sql`s.ad_click`,
  })
}
