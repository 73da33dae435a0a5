import classes from './apps.module.css'

interface SparkProps {
  readonly values: readonly number[]
  /** What it shows, for those who do not see it. */
  readonly label: string
}

const BAR = 4
const GAP = 1
const HEIGHT = 28
/** Its place while the values are not there yet. */
const HOURS = 24

/** A bar for each value; a hairline where nothing happened. */
export function Spark({ values, label }: SparkProps) {
  const most = Math.max(1, ...values)
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
        const height = value === 0 ? 1 : Math.max(2, Math.round((value / most) * HEIGHT))
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it stands for
            key={index}
            className={value === 0 ? classes.nothing : classes.something}
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
