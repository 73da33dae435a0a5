import { sql } from 'kysely'
import type { EventTable, Sql } from '../event-table.ts'

/** The source of a visit: texts of the first events of a session that have them, or null. */
export interface Arrival {
  readonly domain: Sql
  readonly source: Sql
  readonly medium: Sql
  readonly campaign: Sql
  /** The ID of a click on an ad of Google. */
  readonly adClick: Sql
}

/**
 * Kinds of sites by parts of their domains, or by what campaigns call them in `utm_source`. Shops come first, because
 * shopping.google.com is no search engine.
 */
const SITES = {
  Shopping:
    'amazon|ebay|etsy|shopify|walmart|aliexpress|alibaba|shopping\\.google|shopping\\.yahoo|idealo|zalando',
  Search:
    'google|bing|yahoo|duckduckgo|baidu|yandex|ecosia|qwant|startpage|naver|seznam|sogou|brave|kagi|aol|ask',
  Social:
    'facebook|fb|instagram|ig|threads|twitter|x|t\\.co|linkedin|lnkd|reddit|pinterest|tiktok|snapchat|tumblr|quora|mastodon|bsky|vk|weibo|whatsapp|telegram|discord|slack|news\\.ycombinator',
  Video: 'youtube|youtu|vimeo|twitch|dailymotion|bilibili|wistia|netflix',
}

const SHOP = '(^|[^a-df-z])shop|shopping'
const PAID = '^(.*cp.*|ppc|retargeting|paid.*)$'

/** Channels by `utm_medium`, in the order in which they are tried. */
const MEDIA: Readonly<Record<string, string>> = {
  Display: '^(display|banner|expandable|interstitial|cpm)$',
  Email: '^e[-_ ]?mail$',
  Affiliate: '^affiliates?$',
  Audio: '^audio$',
  SMS: '^sms$',
  Push: 'push$|mobile|notification',
  'Organic Social': '^(social|social[-_ ]?(network|media)|sm)$',
  'Organic Video': 'video',
  'Organic Search': '^organic$',
  Referral: '^(referral|app|link)$',
}

/** The end of a domain: `.com` or `.co.uk`, but not `.example.com`. */
const ENDING = '\\.[a-z]{2,6}(\\.[a-z]{2})?'
const NO_SOURCE = '^(direct|\\(direct\\))$'

/** Names the channel through which a visitor came, by the rules of PostHog's channel types. */
export function toChannel(table: Pick<EventTable, 'matches'>, arrival: Arrival): Sql {
  const orEmpty = (text: Sql) => sql`coalesce(${text}, '')`
  const domain = orEmpty(arrival.domain)
  const [source, medium, campaign] = [
    orEmpty(arrival.source),
    orEmpty(arrival.medium),
    orEmpty(arrival.campaign),
  ]
  // most sessions have no campaign, so most patterns need not be tried
  const is = (text: Sql, pattern: string) =>
    sql`(${text} <> '' and ${table.matches(text, `(?i)${pattern}`)})`
  const isAd = sql`${orEmpty(arrival.adClick)} <> ''`
  const isReferred = sql`${domain} not in ('', '$direct')`
  const hasNoSource = sql`(${source} = '' or ${is(source, NO_SOURCE)})`
  const site = sql`case when ${hasNoSource} then ${domain} else ${source} end`
  const bySite = (prefix: string) =>
    sql.join(
      Object.entries(SITES).map(
        ([kind, names]) =>
          sql`when ${is(site, `^(.*\\.)?(${names})(${ENDING})?$`)} then ${sql.lit(`${prefix} ${kind}`)}`,
      ),
      sql` `,
    )
  const byMedium = Object.entries(MEDIA).map(
    ([channel, pattern]) => sql`when ${is(medium, pattern)} then ${sql.lit(channel)}`,
  )
  return sql`case
    when ${is(campaign, 'cross-network')} then 'Cross Network'
    when ${is(medium, PAID)} or ${isAd} then case
      when ${is(campaign, SHOP)} then 'Paid Shopping'
      ${bySite('Paid')}
      when ${isAd} then 'Paid Search'
      else 'Paid Unknown' end
    when ${domain} = '$direct' and ${medium} = '' and ${hasNoSource} then 'Direct'
    when ${is(campaign, SHOP)} then 'Organic Shopping'
    ${sql.join(byMedium, sql` `)}
    ${bySite('Organic')}
    when ${isReferred} then 'Referral'
    else 'Unknown' end`
}
