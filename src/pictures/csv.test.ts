import { describe, expect, it } from 'vitest'
import {
  CHARTS,
  chartOf,
  funnelSteps,
  tableResult,
  trend,
  trendsQuery,
} from '../../test/support/data/results.ts'
import { toCsv } from './csv.ts'

const csvOf = async (name: string): Promise<string[]> => {
  const { query, result } = chartOf(name)
  return (await toCsv(query, result)).split('\r\n')
}

const table = (columns: string[], ...results: unknown[][]) =>
  toCsv({ kind: 'HogQLQuery' }, { columns, types: [], results, hasMore: false })

describe('CSV', () => {
  it('has a row for each day and a column for each series', async () => {
    const result = [trend('views', [1, 2.5]), trend('orders', [3, 4])]

    expect(await toCsv(trendsQuery(), result)).toBe(
      'date,views,orders\r\n2026-03-01,1,3\r\n2026-03-02,2.5,4\r\n',
    )
  })

  it.each([
    ['trends-bar-value', 'series,value', '/,48200', 8],
    ['trends-compare', 'date,$pageview (current),$pageview (previous)', '2026-03-01,4200,3942', 30],
    [
      'funnel',
      'step,name,count,conversion_rate,step_conversion_rate,median_seconds,average_seconds',
      '1,$pageview,12840,1,1,,',
      4,
    ],
    [
      'funnel-breakdown',
      'breakdown,step,name,count,conversion_rate,step_conversion_rate,median_seconds,average_seconds',
      'Chrome,1,$pageview,12840,1,1,,',
      12,
    ],
    [
      'retention',
      'date,cohort,Week 0,Week 1,Week 2,Week 3,Week 4,Week 5,Week 6,Week 7',
      '2026-02-02T00:00:00.000Z,Week 0,1240,570,376,295,248,217,195,177',
      8,
    ],
    ['lifecycle', 'date,new,returning,resurrecting,dormant', '2026-03-01,320,947,198,-436', 12],
    ['funnel-trend', 'date,Chrome,Safari', '2026-03-01,40,33', 30],
    ['funnel-times', 'from_seconds,people', '0,320', 5],
    ['stickiness-compare', 'intervals,$pageview (current),$pageview (previous)', '1,1800,1800', 7],
    ['stickiness', 'intervals,$pageview', '1,1800', 7],
    ['paths', 'step,source,target,people,average_seconds', '1,/,/pricing,820,42', 9],
    ['sql-table', 'day,plan,orders,revenue', '2026-03-01,free,12,0', 12],
  ])('has the header, first row and row count of %s', async (name, header, first, rows) => {
    const lines = await csvOf(name)

    expect(lines.slice(0, 2)).toEqual([header, first])
    expect(lines).toHaveLength(rows + 2)
    expect(lines.at(-1)).toBe('')
  })

  it('has the same number of fields in every row of every query kind', async () => {
    for (const name of Object.keys(CHARTS)) {
      const widths = (await csvOf(name)).slice(0, -1).map((line) => line.split(',').length)

      expect([name, new Set(widths).size]).toEqual([name, 1])
    }
  })

  it('quotes fields with commas, quotes and line breaks', async () => {
    expect(await table(['a,b', 'c"d'], ['line\nbreak', 'x\r\ny'])).toBe(
      '"a,b","c""d"\r\n"line\nbreak","x\r\ny"\r\n',
    )
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 123', "'+49 30 123"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\n=1', '"\'\n=1"'],
    ['＝1+1', "'＝1+1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://evil.test","x")', '"\'=HYPERLINK(""http://evil.test"",""x"")"'],
    ['-12.5', '-12.5'],
    ['+3', '+3'],
    [-12.5, '-12.5'],
    ['a=b', 'a=b'],
    [null, ''],
    [Number.NaN, ''],
    [true, 'true'],
    [['=x'], '"[""=x""]"'],
  ])('writes %j as %j, never as a formula', async (value, field) => {
    expect(await table(['a'], [value])).toBe(`a\r\n${field}\r\n`)
  })

  it('escapes formulas in headers', async () => {
    expect(await toCsv(trendsQuery(), [trend('=cmd', [1])])).toContain("date,'=cmd")
    expect(await table(['@a'], [1])).toContain("'@a")
    const steps = funnelSteps().map((step) => ({ ...step, custom_name: '=1' }))
    expect(await toCsv({ kind: 'FunnelsQuery' }, steps)).not.toContain(',=1')
  })

  it('is empty without a result', async () => {
    expect(await toCsv(trendsQuery(), null)).toBe('')
    expect(await toCsv({ kind: 'Else' }, [1])).toBe('')
    expect(
      await toCsv({ kind: 'DataTableNode', source: { kind: 'HogQLQuery' } }, tableResult),
    ).toContain('day,plan')
  })
})
