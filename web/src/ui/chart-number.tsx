import { Text } from '@mantine/core'
import { type Chart, listOf, unwrap } from '#model/chart.ts'
import { readSql } from '#model/charts/sql.ts'
import { changeInWords } from '#model/charts/values.ts'
import { fullNumber } from '#model/format.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { nameSeries, totalOf } from '#model/series-names.ts'
import classes from './chart.module.css'

const seriesOf = (chart: Chart): readonly TrendSeries[] =>
  unwrap(chart.query).source.kind === 'HogQLQuery'
    ? readSql(chart).lines.slice(0, 1)
    : listOf<TrendSeries>(chart.result)

/** One number as large as fits, with its change from the previous period. */
export function ChartNumber({ chart }: { readonly chart: Chart }) {
  const named = nameSeries(seriesOf(chart))
  const current = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const previous = named.find(({ isPrevious }) => isPrevious)
  if (!current) return null
  const value = totalOf(current.series)
  const text = fullNumber(value)
  return (
    <div className={classes.number}>
      <div className={classes.figure} style={{ '--letters': Math.max(3, text.length) } as object}>
        {text}
      </div>
      <Text c="dimmed" size="sm" ta="center" lineClamp={2}>
        {previous ? changeInWords(value, totalOf(previous.series)) : current.name}
      </Text>
    </div>
  )
}
