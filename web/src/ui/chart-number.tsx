import { Text } from '@mantine/core'
import { formatChange, fullNumber } from '#model/format.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { nameSeries, totalOf } from '#model/series-names.ts'
import classes from './chart.module.css'

/** One number, as large as its space allows, compared with the previous period. */
export function ChartNumber({ series }: { readonly series: readonly TrendSeries[] }) {
  const named = nameSeries(series)
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
        {previous ? formatChange(value, totalOf(previous.series)) : current.name}
      </Text>
    </div>
  )
}
