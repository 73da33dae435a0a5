import { Text } from '@mantine/core'
import type { ChartPoint } from '#model/chart.ts'
import { formatChange, fullNumber } from '#model/format.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { nameSeries, totalOf } from '#model/series-names.ts'
import classes from './chart.module.css'

interface ChartNumberProps {
  readonly series: readonly TrendSeries[]
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

/** One number, as large as its space allows, compared with the previous period. */
export function ChartNumber({ series, onPoint }: ChartNumberProps) {
  const named = nameSeries(series)
  const current = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const previous = named.find(({ isPrevious }) => isPrevious)
  if (!current) return null
  const value = totalOf(current.series)
  const text = fullNumber(value)
  return (
    <div className={classes.number}>
      <div className={classes.figure} style={{ '--letters': Math.max(3, text.length) } as object}>
        {onPoint ? (
          <button
            type="button"
            className={classes.button}
            title="View persons"
            onClick={() => onPoint({ series: series.indexOf(current.series) })}
          >
            {text}
          </button>
        ) : (
          text
        )}
      </div>
      <Text c="dimmed" size="sm" ta="center" lineClamp={2}>
        {previous ? formatChange(value, totalOf(previous.series)) : current.name}
      </Text>
    </div>
  )
}
