import type { CSSProperties } from 'react'
import { type ChartPoint, NO_EVENTS } from '#model/chart.ts'
import { meanShares, scaleHeat, toCohortName } from '#model/charts/retention-rows.ts'
import { fullNumber, percent, toLabel } from '#model/format.ts'
import { hatchOn, heatColor, inkOn, paletteOf } from '#model/palette.ts'
import type { RetentionCohort } from '#model/query-results.ts'
import classes from './heat.module.css'
import { ChartMessage } from './message.tsx'
import tableClasses from './result-table.module.css'
import { useScheme } from './use-scheme.ts'

interface ChartRetentionProps {
  readonly title: string
  readonly cohorts: readonly RetentionCohort[]
  readonly onPoint?: ((point: ChartPoint) => void) | undefined
}

/** A retention table: the mean and one row per cohort, colored by the returning share. */
export function ChartRetention({ title, cohorts, onPoint }: ChartRetentionProps) {
  const palette = paletteOf(useScheme())
  if (!cohorts.some(({ values }) => values.some(({ count }) => count > 0))) {
    return <ChartMessage>{NO_EVENTS}</ChartMessage>
  }
  const columns = cohorts[0]?.values ?? []
  const toHeat = scaleHeat(cohorts)
  const toStyle = (share: number, at: number) => {
    const backgroundColor = heatColor(palette, toHeat(share, at))
    return {
      '--hatch': hatchOn(backgroundColor),
      backgroundColor,
      color: inkOn(backgroundColor),
    } as CSSProperties
  }
  return (
    <section
      className={`${tableClasses.scroller} ${classes.scroller}`}
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
      tabIndex={0}
    >
      <table className={classes.heat} style={toSizes(cohorts)}>
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
          <tr>
            <th scope="row" className={classes.cohort}>
              Mean
            </th>
            {meanShares(cohorts).map((share, at) => {
              const key = columns[at]?.label
              if (share === undefined) return <EmptyCell key={key} />
              return (
                <td key={key} className={classes.cell} style={toStyle(share, at)}>
                  {percent(share)}
                </td>
              )
            })}
          </tr>
          {cohorts.map((cohort, row) => {
            const { date, label, values } = cohort
            const size = values[0]?.count ?? 0
            return (
              <tr key={date}>
                <th scope="row" className={classes.cohort} title={toLabel(label)}>
                  {toCohortName(cohort)}
                  <span className={classes.size}>{fullNumber(size)}</span>
                </th>
                {values.map(({ count, label: interval, unfinished }, column) => {
                  if (size === 0) return <EmptyCell key={interval} />
                  return (
                    <td
                      key={interval}
                      className={classes.cell}
                      data-unfinished={unfinished}
                      title={`${fullNumber(count)} of ${fullNumber(size)}${unfinished ? ' so far' : ''}`}
                      style={toStyle(count / size, column)}
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

const EmptyCell = () => <td className={classes.cell}>–</td>

/** Sets the sizes from which TV mode computes the largest text that fits. */
function toSizes(cohorts: readonly RetentionCohort[]): CSSProperties {
  const names = cohorts.map((cohort) =>
    [toCohortName(cohort), fullNumber(cohort.values[0]?.count ?? 0)].join(' '),
  )
  return {
    '--columns': cohorts[0]?.values.length ?? 0,
    '--rows': cohorts.length + 1,
    '--letters': Math.max(...names.map(({ length }) => length)),
  } as CSSProperties
}
