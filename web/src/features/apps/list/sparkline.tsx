import classes from '../apps.module.css'

interface SparkProps {
  readonly values: readonly number[]
  /** Accessible name. */
  readonly label: string
}

const BAR = 4
const GAP = 1
const HEIGHT = 28
/** Reserved width while values load. */
const HOURS = 24

/** A bar per value, a hairline for zero. */
export function Sparkline({ values, label }: SparkProps) {
  const max = Math.max(1, ...values)
  const width = (values.length || HOURS) * (BAR + GAP) - GAP
  return (
    <svg
      className={classes.spark}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(2, Math.round((value / max) * HEIGHT))
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by position
            key={index}
            className={value === 0 ? classes.zero : classes.bar}
            x={index * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            rx={height > 2 ? 1 : 0}
          />
        )
      })}
    </svg>
  )
}
