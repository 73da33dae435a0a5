import { useComputedColorScheme } from '@mantine/core'
import { type ChartPoint, NO_EVENTS } from '#model/chart.ts'
import { fullNumber, percent, toLabel } from '#model/format.ts'
import { heatColor, inkOn, paletteOf } from '#model/palette.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import { ChartMessage } from './chart-message.tsx'
import classes from './heat.module.css'
import tableClasses from './result-table.module.css'

interface ChartRetentionProps {
  readonly title: string
  readonly cohorts: readonly RetentionCohort[]
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

/** A retention table: one row per cohort, colored by the returning share. */
export function ChartRetention({ title, cohorts, onPoint }: ChartRetentionProps) {
  const palette = paletteOf(useComputedColorScheme('light'))
  if (!cohorts.some(({ values }) => values.some(({ count }) => count > 0))) {
    return <ChartMessage>{NO_EVENTS}</ChartMessage>
  }
  const columns = cohorts[0]?.values ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className={tableClasses.scroller} aria-label={title} tabIndex={0}>
      <table className={classes.heat}>
        <thead>
          <tr>
            <th scope="col" className={`${classes.column} ${classes.corner}`}>
              Cohort
            </th>
            {columns.map(({ label }) => (
              <th key={label} scope="col" className={classes.column}>
                {toLabel(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ date, label, values }, row) => {
            const size = values[0]?.count ?? 0
            return (
              <tr key={date}>
                <th scope="row" className={classes.cohort}>
                  {toLabel(label)}
                  <span className={classes.size}>{fullNumber(size)}</span>
                </th>
                {values.map(({ count, label: interval }, column) => {
                  if (size === 0)
                    return (
                      <td key={interval} className={classes.cell}>
                        –
                      </td>
                    )
                  const color = heatColor(palette, count / size)
                  return (
                    <td
                      key={interval}
                      className={classes.cell}
                      title={`${fullNumber(count)} of ${fullNumber(size)}`}
                      style={{ backgroundColor: color, color: inkOn(color) }}
                    >
                      {onPoint && count > 0 ? (
                        <button
                          type="button"
                          className={classes.button}
                          onClick={() => onPoint({ series: row, index: column })}
                        >
                          {percent(count / size)}
                        </button>
                      ) : (
                        percent(count / size)
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
