import type { ChartPoint } from '#model/chart.ts'
import { paletteOf, ruleColor, seriesColor } from '#model/palette.ts'
import type { NumberView } from '#model/query-kinds/query-kind.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { toSparkline } from '#model/sparkline.ts'
import { ChangeText } from './change.tsx'
import classes from './chart.module.css'
import { useScheme } from './use-scheme.ts'

interface ChartNumberProps {
  readonly view: NumberView
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

/** One number, as large as its space allows, its change and a sparkline. */
export function ChartNumber({ view: { headline, index }, onPoint }: ChartNumberProps) {
  const { series, name, text, change, color } = headline
  const palette = paletteOf(useScheme())
  const ruled = color && ruleColor(palette, color)
  return (
    <div className={classes.number}>
      <div className={classes.figures}>
        <div
          className={classes.figure}
          style={
            { '--letters': Math.max(3, text.length), ...(ruled && { color: ruled }) } as object
          }
        >
          {onPoint ? (
            <button
              type="button"
              className={classes.button}
              title="View persons"
              onClick={() => onPoint({ series: index })}
            >
              {text}
            </button>
          ) : (
            text
          )}
        </div>
        <div className={classes.change}>{change ? <ChangeText change={change} /> : name}</div>
      </div>
      <SparklineView series={series} color={ruled ?? seriesColor(palette, 0)} />
    </div>
  )
}

interface SparklineProps {
  readonly series: TrendSeries
  readonly color: string
}

const SIZE = { width: 300, height: 80 }

/** The numbers over time behind the number. Stretches to the space that is left. */
function SparklineView({ series, color }: SparklineProps) {
  const spark = toSparkline(series, SIZE)
  if (!spark) return null
  return (
    <svg
      className={classes.sparkline}
      style={{ color }}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <polygon points={toText(spark.area)} className={classes.under} />
      <polyline points={toText(spark.line)} />
      <polyline points={toText(spark.end)} strokeDasharray="2 3" />
    </svg>
  )
}

const toText = (points: readonly (readonly number[])[]): string => points.join(' ')
