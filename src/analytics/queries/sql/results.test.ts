import { describe, expect, it } from 'vitest'
import { numbered, startBoth } from '../../../../test/support/data/user-sql.ts'

/** Results computed by hand from the shop's seven events. */
const GOLDEN: readonly (readonly [text: string, rows: readonly (readonly unknown[])[]])[] = [
  ['select count() from events', [[7]]],
  [
    'select event, count(), uniq(person_id) from events group by event order by 2 desc',
    [
      ['bought', 3, 3],
      ['visited', 3, 3],
      ['left', 1, 1],
    ],
  ],
  [
    "select event, uniqIf(distinct_id, event = 'bought') as buyers, min(properties.amount), countIf(event = 'left') from events group by event having count() > 0 order by event",
    [
      ['bought', 3, '10.5', 0],
      ['left', 0, null, 1],
      ['visited', 0, 'many', 0],
    ],
  ],
  [
    'select count(), count(distinct properties.$browser), count(properties.$browser) from events',
    [[7, 2, 3]],
  ],
  ["select uniq(distinct_id), count(), max(event) from events where event = ''", [[0, 0, null]]],
  ['select uniq(event), uniq(properties.$browser), count() from events', [[3, 2, 7]]],
  [
    'select properties.$browser as browser, count() as n from events group by browser order by n desc',
    [
      [null, 4],
      ['Firefox', 2],
      ['Chrome', 1],
    ],
  ],
  [
    "select toDate(timestamp) as day, countIf(event = 'bought'), sum(properties.amount), avgIf(properties.amount, event = 'bought') from events group by day order by day",
    [
      ['2026-03-01', 2, 30.5, 15.25],
      ['2026-03-29', 1, 7, 7],
      ['2026-03-31', 0, null, null],
    ],
  ],
  [
    'select median(properties.amount), quantile(properties.amount, 0.25), min(event), max(timestamp), count(distinct event), any_value(event) from events',
    [[10.5, 8.75, 'bought', '2026-03-31T11:59:59.999Z', 3, 'bought']],
  ],
  [
    "select properties.gift = true, properties.amount > 9, properties['a.b'] from events where event = 'bought' order by uuid",
    [
      [true, true, null],
      [false, true, null],
      [null, false, 'dot'],
    ],
  ],
  [
    "select sum(properties.nothing), sum(1), count() from events where event = ''",
    [[null, null, 0]],
  ],
  ['select 7 / 2, 7 // 2, -7 // 2, 7 % 4, -7 % 4, 1 / 0, 1 % 0', [[3.5, 3, -3, 3, -3, null, null]]],
  [
    'select round(2.5), round(-2.5), round(3.5), round(2.346, 2), floor(-2.1), ceil(2.1)',
    [[3, -2, 4, 2.35, -3, 3]],
  ],
  [
    'select 0.1 + 0.2, 1e3, abs(-3), sqrt(-1), ln(0), greatest(1, 2.5)',
    [[0.3, 1000, 3, null, null, 2.5]],
  ],
  [
    "select toInt('12.9'), toFloat('x'), '5'::int, 3.7::int, -3.7::int, cast('4' as double)",
    [[12, null, 5, 3, -3, 4]],
  ],
  [
    'select toString(1.0), toString(0.5), toString(7), toString(true), toString(1e15), toInt(1e300)',
    [['1', '0.5', '7', 'true', null, null]],
  ],
  [
    "select lower('ABÉ'), upper('abé'), length('äö😀'), substring('hello', 2, 3), substring('hello', -5, 2), left('abc', 2)",
    [['abÉ', 'ABé', 3, 'ell', 'he', 'ab']],
  ],
  [
    "select 'a%b' like 'a\\%b', 'axb' like 'a\\%b', 'AXB' like 'axb', 'AXB' ilike 'a_b', match('bought', 'ugh'), match('x', '^y')",
    [[true, false, false, true, true, false]],
  ],
  [
    "select 'a\nb' like 'a_b', 'é😀' like '__', 'é😀' like 'é_%', 'a.b' like 'a.b', 'axb' like 'a.b', '[x]+(' like '[_]+(', 'a\\b' like 'a\\\\b', 'a_b' not like 'a\\_b', 'Ab' not ilike 'a_', null like 'a_'",
    [[true, true, true, true, false, true, true, false, false, null]],
  ],
  [
    "select concat('a', null, 1), 'a' || null, '' = '', replaceAll('a-b', '-', ''), trim('  x ')",
    [['a1', null, true, 'ab', 'x']],
  ],
  [
    "select if(true, 1, 2), multiIf(false, 'a', true, 'b', 'c'), coalesce(null, 'x'), nullif(1, 1), case 3 when 3 then 'y' end",
    [[1, 'b', 'x', null, 'y']],
  ],
  [
    "select count() from events where event in ('bought', 'left') and properties.amount between 7 and 11",
    [[2]],
  ],
  [
    'select count() from events where event not in (select event from events where properties.amount > 9)',
    [[4]],
  ],
  [
    "select event from events e where exists (select 1 from events b where b.distinct_id = e.distinct_id and b.event = 'bought') and event <> 'bought' order by uuid",
    [['visited'], ['visited'], ['visited']],
  ],
  [
    'with a as (select distinct_id as who, count() as n from events group by who) select n, count() from a group by n order by n',
    [
      [1, 1],
      [2, 3],
    ],
  ],
  [
    "select a.distinct_id, b.total from (select distinct_id from events where event = 'visited') a left join (select distinct_id, sum(properties.amount) as total from events group by 1 having total > 10) b using (distinct_id) order by 1",
    [
      ['ada', 10.5],
      ['bob', 20],
      ['cy', null],
    ],
  ],
  [
    'select event, sum(count()) over (order by event) as running, rank() over (order by count() desc) from events group by event order by event',
    [
      ['bought', 3, 1],
      ['left', 4, 3],
      ['visited', 7, 1],
    ],
  ],
  [
    'select distinct_id from events qualify row_number() over (partition by distinct_id order by uuid) = 2 order by 1',
    [['ada'], ['bob'], ['cy']],
  ],
  [
    "select lag(event, 1, 'none') over (order by uuid) from events order by uuid limit 2",
    [['none'], ['visited']],
  ],
  [
    'select first_value(properties.plan) over (order by uuid desc), last_value(properties.amount) over (order by uuid desc) from events order by uuid desc limit 3',
    [
      [null, null],
      [null, 'many'],
      [null, '7'],
    ],
  ],
  [
    "select event from events union select 'x' except select 'left' order by event desc",
    [['x'], ['visited'], ['bought']],
  ],
  [
    'select lower(event) as event, count() as n, n * 2 from events group by event having n = 1',
    [['left', 1, 2]],
  ],
  ['select count() from events where {filters}', [[7]]],
  [
    "select (select max(toFloat(properties.amount)) from events), '2026-03-29' = toDate(timestamp) from events where event = 'left'",
    [[20, false]],
  ],
]

describe('SQL', () => {
  it('returns the results computed by hand, on both databases', async () => {
    const stores = await startBoth()

    for (const [text, rows] of GOLDEN) {
      for (const store of stores) {
        expect({ text, rows: (await store.run(text)).results }).toEqual({ text, rows })
      }
    }
  })

  it('returns the types and names of its columns, and makes names unique', async () => {
    const text =
      "select 1, 1.5, event, event, timestamp, toDate(timestamp), event = 'left', null as nothing, count() over () from events limit 1"
    for (const store of await startBoth()) {
      const { columns, types } = await store.run(text)

      expect(types).toEqual([
        ['1', 'Integer'],
        ['1.5', 'Float'],
        ['event', 'String'],
        ['event_1', 'String'],
        ['timestamp', 'DateTime'],
        ['todate(timestamp)', 'Date'],
        ["(event = 'left')", 'Boolean'],
        ['nothing', 'String'],
        ['count()', 'Integer'],
      ])
      expect(columns).toEqual(types.map(([name]) => name))
    }
  })

  it('returns 100 rows by default, at most 10,000, and whether there are more', async () => {
    const many = numbered(Array.from({ length: 10_005 }, () => ({})))
    for (const store of await startBoth(many)) {
      const run = async (text: string, options = {}) => {
        const { results, hasMore } = await store.run(text, options)
        return [results.length, results[0]?.[0]?.toString().slice(-5), hasMore]
      }
      const text = 'select uuid from events order by uuid'

      expect(await run(text)).toEqual([100, '00001', true])
      expect(await run(`${text} limit 20000`)).toEqual([10_000, '00001', true])
      expect(await run(`${text} limit 5 offset 10000`)).toEqual([5, '10001', false])
      expect(await run(`${text} limit 50`, { limit: 3, offset: 2 })).toEqual([3, '00003', true])
      expect(await run(text, { limit: 500, offset: 9900 })).toEqual([105, '09901', false])
    }
  })

  it('sorts texts by their bytes and nulls last', async () => {
    const events = ['b', 'B', 'é', 'a', ''].map((plan) => ({ properties: { plan } }))
    for (const store of await startBoth(numbered([...events, {}]))) {
      const sorted = async (order: string) =>
        (
          await store.run(`select properties.plan as p from events order by p ${order}`)
        ).results.flat()

      expect(await sorted('')).toEqual(['', 'B', 'a', 'b', 'é', null])
      expect(await sorted('desc')).toEqual(['é', 'b', 'a', 'B', '', null])
      expect(await sorted('nulls first')).toEqual([null, '', 'B', 'a', 'b', 'é'])
    }
  })
})
