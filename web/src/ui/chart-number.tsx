import { Text } from '@mantine/core'
import type { TrendSeries } from '#server/analytics/queries/results.ts'
import { type Chart, listOf, unwrap } from '#server/charts/chart.ts'
import { nameSeries, wholeValue } from '#server/charts/series-names.ts'
import { readSql } from '#server/charts/sql.ts'
import { fullNumber } from '#server/charts/text.ts'
import { changeInWords } from '#server/charts/values.ts'
import classes from './chart.module.css'

const seriesOf = (chart: Chart): readonly TrendSeries[] =>
  unwrap(chart.query).source.kind === 'HogQLQuery'
    ? readSql(chart).lines.slice(0, 1)
    : listOf<TrendSeries>(chart.result)

/** One number, as large as its place allows, and how it compares. */
export function ChartNumber({ chart }: { readonly chart: Chart }) {
  const named = nameSeries(seriesOf(chart))
  const current = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const previous = named.find(({ isPrevious }) => isPrevious)
  if (!current) return null
  const value = wholeValue(current.series)
  const text = fullNumber(value)
  return (
    <div className={classes.number}>
      <div className={classes.figure} style={{ '--letters': Math.max(3, text.length) } as object}>
        {text}
      </div>
      <Text c="dimmed" size="sm" ta="center" lineClamp={2}>
        {previous ? changeInWords(value, wholeValue(previous.series)) : current.name}
      </Text>
    </div>
  )
}
