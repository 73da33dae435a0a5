import { describe, expect, it } from 'vitest'
import { formatSql } from './format-sql.ts'

const bare = (text: string) => text.replace(/\s+/g, '')

const QUERIES = [
  "select toDate(timestamp) as day, uniqIf(person_id, event = 'order, paid') as buyers from events where timestamp >= now() - interval '30 day' and (a or b) group by day order by day",
  'select properties.$browser as b, round(100 * count() / (select count() from events), 1) as p from events group by b limit 10 -- the end, and more\n',
  "with buyers as (select distinct person_id from events where event = 'it''s') select count(distinct person_id) from events where person_id in (select person_id from buyers)",
  'select 1',
  "select x::int, properties['a.b'] from events where {filters} and t between 1 and 2 and n in (1,2)",
  'select event.from, "where" from events e left join persons p on p.id=e.person_id union all select 1, 2',
  "select 'not closed",
  '/* why */ select a /* b',
  "select 1e-5, 1.5 * -2, a->>'x', 'a\\' as b, 'c  d', $q$it's  --$q$, e'\\'  ' from events--end\nwhere 1",
  'select ))(',
  '',
]

describe('formatted SQL', () => {
  it.each(QUERIES)('differs only in space: %s', (query) => {
    expect(bare(formatSql(query))).toBe(bare(query))
  })

  it.each(QUERIES)('stays the same when formatted again: %s', (query) => {
    expect(formatSql(formatSql(query))).toBe(formatSql(query))
  })

  it('has a line for each clause, column and condition', () => {
    expect(formatSql(QUERIES[0] as string)).toBe(`select
  toDate(timestamp) as day,
  uniqIf(person_id, event = 'order, paid') as buyers
from events
where timestamp >= now() - interval '30 day'
  and (a or b)
group by day
order by day`)
  })

  it('indents a query inside another', () => {
    expect(formatSql(QUERIES[2] as string)).toBe(`with buyers as (
  select distinct person_id
  from events
  where event = 'it''s'
)
select count(distinct person_id)
from events
where person_id in (
  select person_id
  from buyers
)`)
  })

  it('keeps numbers, operators and quotes whole', () => {
    const formatted = formatSql(QUERIES[8] as string)

    for (const part of [
      '1e-5',
      '1.5 *',
      "a ->> 'x'",
      "'a\\' as b",
      "'c  d'",
      "$q$it's  --$q$",
      "e'\\'  '",
    ]) {
      expect(formatted).toContain(part)
    }
    expect(formatted).toContain('--end\n')
  })

  it('keeps the words between two bounds on one line', () => {
    expect(formatSql(QUERIES[4] as string)).toContain(
      '\n  and t between 1 and 2\n  and n in (1, 2)',
    )
  })
})
