import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Sql } from '#server/analytics/event-table.ts'
import { translate } from '../translate.ts'

const textOf = async (statement: Sql): Promise<string> => (await translate(statement)).text

/** Translates `select ... as x from persons`. */
async function translateColumn(expression: Sql): Promise<string> {
  const text = await textOf(sql`select ${expression} as x from persons`)
  return text.replace(/^select /, '').replace(' as `x` from `persons` as `persons`', '')
}

describe('the translation to ClickHouse', () => {
  it('writes values as ClickHouse reads them', async () => {
    const texts = [`it's`, 'a\\b', '', "\\'; drop table events; --"].map(
      (value) => sql`${value}::text`,
    )
    expect(await translateColumn(sql`concat(${sql.join(texts)})`)).toBe(
      String.raw`concat(ifNull('it\'s', ''), ifNull('a\\b', ''), ifNull('', ''), ifNull('\\\'; drop table events; --', ''))`,
    )
    expect(await translateColumn(sql`${-5}::bigint + 9007199254740991`)).toBe(
      '(CAST(-5 AS Int64) + toInt64(9007199254740991))',
    )
    expect(await translateColumn(sql`${1.5}::double precision`)).toBe("toFloat64('1.5')")
    expect(await translateColumn(sql`null::bigint`)).toBe('CAST(NULL AS Nullable(Int64))')
  })

  it('writes the same statement with other values without parsing it again', async () => {
    const find = (id: number) => textOf(sql`select number from persons where project_id = ${id}`)

    expect(await find(1)).toContain('(`project_id` = 1)')
    expect(await find(2)).toContain('(`project_id` = 2)')
  })

  it('counts times in milliseconds, of any year', async () => {
    const at = (text: string) => translateColumn(sql`${text}::timestamptz`)

    expect(await at('1970-01-01T00:00:01.500Z')).toBe('1500')
    expect(await at('0001-01-01T00:00:00.000Z')).toBe('toInt64(-62135596800000)')
    expect(await at('9999-12-31T23:59:59.999Z')).toBe('toInt64(253402300799999)')
    expect(await at('1970-01-01 02:00:00+02')).toBe('0')
    expect(await translateColumn(sql`'1970-01-03'::date`)).toBe('2')
    expect(await translateColumn(sql`epoch_ms(created_at)`)).toBe('`created_at`')
  })

  it('returns NULL where ClickHouse would return 0 or an empty text', async () => {
    expect(await translateColumn(sql`min(number) filter (where has_profile)`)).toBe(
      'minOrNullIf(`number`, `has_profile`)',
    )
    expect(await translateColumn(sql`lag(number) over (order by number)`)).toBe(
      'lag(toNullable(`number`)) over (order by `number`)',
    )
    expect(await translateColumn(sql`lag(number, 2::int, 0) over (order by number)`)).toBe(
      'lag(toNullable(`number`), CAST(2 AS Int64), CAST(0 AS Nullable(Int64))) over (order by `number`)',
    )
    expect(await translateColumn(sql`last_value(number) over (order by number)`)).toBe(
      'last_value_respect_nulls(toNullable(`number`)) over (order by `number`)',
    )
    expect(await translateColumn(sql`number in (1, null)`)).toBe(
      'toBool((`number` = 1 or `number` = NULL))',
    )
    const isAmong = (value: number | null) =>
      translateColumn(sql`number in (${1}::bigint, ${value}::bigint)`)
    expect(await isAmong(2)).toContain(' in (')
    expect(await isAmong(null)).not.toContain(' in (')
  })

  it('does not let a sum of whole numbers overflow', async () => {
    expect(await translateColumn(sql`sum(number)::bigint`)).toBe(
      "accurateCast(materialize(sumOrNull(toInt128(`number`))), 'Int64')",
    )
  })

  it('returns conditions as true and false', async () => {
    expect(await translateColumn(sql`number > 1`)).toBe('toBool((`number` > 1))')
    expect(await translateColumn(sql`(number > 1)::text`)).toBe('toString(toBool((`number` > 1)))')
  })

  it('writes a value once that its translation repeats', async () => {
    const nested = [...Array(12)].reduce<Sql>(
      (time) => sql`date_trunc('month', ${time} + '1 months'::interval)`,
      sql`created_at`,
    )

    expect((await translateColumn(nested)).length).toBeLessThan(30_000)
  })

  it('computes a CTE once that is used twice', async () => {
    const once = await textOf(sql`with a as (select 1 as x) select x from a`)
    const twice = await textOf(
      sql`with a as (select 1 as x) select x from a union all select x from a`,
    )

    expect(once).toMatch(/^with `a` as \(/)
    expect(twice).toMatch(/^with `a` as materialized \(/)
  })

  it.each([
    ['a function', sql`select md5('x') as x`, 'The function md5'],
    ['a table', sql`select 1 as x from system.tables`, 'The table tables'],
    ['another table', sql`select 1 as x from users`, 'The table users'],
    ['a column', sql`select password as x from persons`, 'The column password'],
    ['a type', sql`select '1'::blob as x`, 'A cast to BLOB'],
    ['a cast', sql`select created_at::text as x from persons`, 'The text of a time'],
    ['a table function', sql`select 1 as x from read_csv('x')`, 'The table read_csv'],
    ['DISTINCT', sql`select sum(distinct number) as x from persons`, 'sum with DISTINCT'],
    ['GROUPING SETS', sql`select 1 as x from persons group by rollup (number)`, 'GROUPING SETS'],
  ])('refuses %s that it does not know', async (_, statement, message) => {
    await expect(translate(statement)).rejects.toThrow(message)
  })
})
