import { describe, expect, it } from 'vitest'
import { CANARY, numbered, startBoth } from '../../../test/support/data/user-sql.ts'
import { SESSION_COLUMNS } from './select-sessions.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString()

const view = (minute: number, properties: object = {}, distinct_id = 'ada') => ({
  ...{ event: '$pageview', timestamp: at(minute), distinct_id, properties },
})

async function query(events: Parameters<typeof numbered>[0], text: string): Promise<unknown[][]> {
  const stores = await startBoth(numbered(events))
  const all = await Promise.all(stores.map((store) => store.run(text)))
  for (const { results } of all) expect(results).toEqual(all[0]?.results)
  return all[0]?.results as unknown[][]
}

describe('the table of sessions', () => {
  it('belongs to the persons that its visitors turn out to be', async () => {
    const events = [
      view(0, {}, 'phone'),
      {
        event: '$identify',
        timestamp: at(1),
        distinct_id: 'ada',
        properties: { $anon_distinct_id: 'phone' },
      },
      view(20, {}, 'ada'),
      view(60, {}, 'bob'),
    ]

    const rows = await query(
      events,
      'select count(), uniq(s.person_id), max(s.$pageview_count), min(e.person_id = s.person_id) from sessions s left join events e on e.uuid = s.session_id',
    )

    expect(rows).toEqual([[2, 2, 2, 1]])
  })

  it('has the same sessions whichever columns a query reads', async () => {
    const events = [view(0, { $session_id: 'a' }), view(1), view(2, { $session_id: 'a' }), view(40)]

    expect(await query(events, 'select count() from sessions')).toEqual([[3]])
    for (const { name } of SESSION_COLUMNS) {
      expect(
        await query(events, `select count(), count(sessions.${name}) >= 0 from sessions`),
      ).toEqual([[3, true]])
    }
    expect((await query(events, 'select * from sessions order by session_id'))[0]).toHaveLength(
      SESSION_COLUMNS.length,
    )
  })

  it('can be joined, filtered and grouped', async () => {
    const events = [
      view(0, { $session_id: 'a', $pathname: '/' }),
      view(1, { $session_id: 'a', $pathname: '/buy' }),
      view(2, { $session_id: 'b', $pathname: '/' }, 'bob'),
    ]
    const text = `select $entry_pathname, $end_pathname, count() as n, avg($session_duration), countIf($is_bounce)
      from sessions where $start_timestamp >= '2026-03-01' group by 1, 2 order by 2`

    expect(await query(events, text)).toEqual([
      ['/', '/', 1, 0, 1],
      ['/', '/buy', 1, 60, 0],
    ])
  })

  it("has only the project's sessions", async () => {
    const rows = await query([view(0)], 'select * from sessions')

    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(CANARY)
  })
})

it.each<[string, object]>([
  ['Unknown', {}],
  ['Direct', { $referring_domain: '$direct' }],
  ['Direct', { $referring_domain: '$direct', utm_source: '(direct)' }],
  ['Referral', { $referring_domain: 'blog.example.com' }],
  ['Referral', { $referring_domain: 'notgoogle.example.com' }],
  ['Referral', { $referring_domain: 'google.example.com' }],
  ['Organic Search', { $referring_domain: 'www.google.co.uk' }],
  ['Organic Search', { $referring_domain: 'duckduckgo.com' }],
  ['Organic Shopping', { $referring_domain: 'shopping.google.com' }],
  ['Organic Shopping', { $referring_domain: 'a.example', utm_campaign: 'Spring shopping' }],
  ['Organic Social', { $referring_domain: 't.co' }],
  ['Organic Social', { $referring_domain: '$direct', utm_source: 'LinkedIn' }],
  ['Organic Video', { $referring_domain: 'm.youtube.com' }],
  ['Email', { $referring_domain: '$direct', utm_medium: 'E-Mail', utm_source: 'google' }],
  ['Affiliate', { utm_medium: 'affiliate' }],
  ['SMS', { utm_medium: 'sms' }],
  ['Push', { utm_medium: 'web-push' }],
  ['Display', { utm_medium: 'banner' }],
  ['Paid Search', { utm_medium: 'cpc', utm_source: 'google' }],
  ['Paid Search', { $referring_domain: '$direct', gclid: 'x' }],
  ['Paid Social', { utm_medium: 'paid_social', utm_source: 'facebook' }],
  ['Paid Video', { utm_medium: 'ppc', $referring_domain: 'youtube.com' }],
  ['Paid Shopping', { utm_medium: 'cpc', utm_campaign: 'shop' }],
  ['Paid Unknown', { utm_medium: 'retargeting', utm_source: 'partner' }],
  ['Cross Network', { utm_medium: 'cpc', utm_campaign: 'Cross-Network 7' }],
  ['Unknown', { utm_source: 'partner' }],
])('the channel is %s for %j', async (channel, properties) => {
  const rows = await query([view(0, properties)], 'select $channel_type from sessions')

  expect(rows).toEqual([[channel]])
})
