import type { CSSProperties } from 'react'
import { fullNumber, percent } from '#model/format.ts'
import classes from './web.module.css'

export interface RankedRow {
  readonly key: string
  readonly label: string
  /** The length of the bar, from 0 to 1. */
  readonly share: number
  readonly cells: readonly RankedCell[]
  readonly isChosen?: boolean
  readonly onClick?: () => void
}

export interface RankedCell {
  readonly value: number | null
  /** The number of the previous period, shown as the change in percent. */
  readonly before?: number | null
  readonly isShare?: boolean
}

interface RankedListProps {
  readonly label: string
  readonly columns: readonly [string, ...string[]]
  readonly rows: readonly RankedRow[]
}

/** A table of values with a bar behind each. A click on a value filters by it. */
export const RankedList = ({ label, columns: [first, ...numbers], rows }: RankedListProps) => (
  <table className={classes.ranked} aria-label={label}>
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {numbers.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, label: name, share, cells, isChosen, onClick }) => (
        <tr key={key} style={{ '--share': `${Math.round(share * 100)}%` } as CSSProperties}>
          <th scope="row" title={name}>
            {onClick ? (
              <button type="button" aria-pressed={isChosen ?? false} onClick={onClick}>
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
          </th>
          {cells.map((cell, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: same as its column
            <td key={at}>
              <ChangeSince {...cell} /> {formatCell(cell)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const formatCell = ({ value, isShare }: RankedCell): string =>
  value === null ? '–' : isShare ? percent(value) : fullNumber(value)

function ChangeSince({ value, before }: RankedCell) {
  if (!before || value === null || value === before) return null
  const change = (value - before) / before
  return (
    <span className={classes.since} title={`${fullNumber(before)} previously`}>
      {change > 0 ? '+' : '−'}
      {percent(Math.abs(change))}
    </span>
  )
}
