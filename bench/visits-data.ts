import type { ToInsertion } from './query-data.ts'

/** Generates visits of eight views over nine minutes, a hundred at a time. */
export const visitsUntil =
  (end: string): ToInsertion =>
  (from, to, { count, days }) =>
    `
  insert into events
  select 1, i, uuid(), '$pageview', 'user ' || visitor, happened,
    '{"$session_id":"s' || visit || '","$pathname":"/page/' || (hash(i) % 400) || '","$browser":"' || browser
      || '","$os":"Linux","$device_type":"' || device || '","$geoip_country_code":"' || country
      || '","$referring_domain":"' || referrer || '","note":"twelve months, paid by invoice"}',
    now()
  from (
    select *, (hash(visit) % 200000)::bigint as visitor,
      ['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera'][(1 + hash(visit * 7) % 5)::integer] as browser,
      ['Desktop', 'Mobile', 'Tablet'][(1 + hash(visit * 11) % 3)::integer] as device,
      ['DE', 'US', 'FR', 'JP', 'BR', 'IN'][(1 + hash(visit * 13) % 6)::integer] as country,
      ['$direct', 'www.google.com', 'news.ycombinator.com', 'github.com'][(1 + hash(visit * 17) % 4)::integer] as referrer
    from (
      select i, (i // 800) * 100 + i % 100 as visit,
        timestamptz '${end}' - interval '${days} days' + to_microseconds((i * ${(days * 86_400_000_000) / count})::bigint) as happened
      from range(${from}, ${to}) t(i)
    )
  )`
