import { percent } from '#model/format.ts'
import { toChange } from '#model/headline.ts'
import { FIGURE_LABELS, formatFigure, type WebFigure } from '#model/web-figures.ts'
import { ChangeText } from '../../ui/chart/change.tsx'
import { CHARTED, type Charted } from './search.ts'
import classes from './web.module.css'

interface FiguresProps {
  readonly figures: readonly WebFigure[]
  readonly charted: Charted
  readonly onChart: (figure: Charted) => void
}

const toCharted = (key: WebFigure['key']) => CHARTED.find((charted) => charted === key)

/** The headline figures. Those that have a chart are buttons, which choose it. */
export const Figures = ({ figures, charted, onChart }: FiguresProps) => (
  <ul className={classes.figures} aria-label="Headline figures">
    {figures.map((figure) => {
      const choice = toCharted(figure.key)
      return (
        <li key={figure.key} data-charted={figure.key === charted || undefined}>
          {choice ? (
            <button
              type="button"
              className={classes.figure}
              aria-pressed={choice === charted}
              onClick={() => onChart(choice)}
            >
              <Figure figure={figure} />
            </button>
          ) : (
            <div className={classes.figure}>
              <Figure figure={figure} />
            </div>
          )}
        </li>
      )
    })}
  </ul>
)

function Figure({
  figure: { key, kind, value, previous, isIncreaseBad },
}: {
  readonly figure: WebFigure
}) {
  const format = { full: (number: number) => formatFigure(kind, number), percent }
  return (
    <>
      <span className={classes.label}>{FIGURE_LABELS[key]}</span>
      <strong className={classes.value}>{formatFigure(kind, value)}</strong>
      <span className={classes.change}>
        {value !== null && previous !== null && (
          <ChangeText change={toChange(value, previous, format, isIncreaseBad ?? false)} />
        )}
      </span>
    </>
  )
}
