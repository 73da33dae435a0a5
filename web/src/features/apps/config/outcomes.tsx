import { Title } from '@mantine/core'
import { pluralize } from '#model/pluralize.ts'
import type { Metrics } from '#server/features/import-apps/runs/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import classes from '../apps.module.css'

const HEIGHT = 100
const WIDTH = 10
const GAP = 2

/** A bar per period: successful runs below, failed ones above. */
export function Outcomes({
  parts,
}: {
  readonly parts: readonly Metrics['last_24_hours'][number][]
}) {
  const max = Math.max(1, ...parts.map((part) => part.runs_succeeded + part.runs_failed))
  const sum = (key: 'runs_succeeded' | 'runs_failed') =>
    parts.reduce((total, part) => total + part[key], 0)
  const label = `${pluralize(sum('runs_succeeded'), 'run')} succeeded, ${sum('runs_failed')} failed`
  return (
    <Card>
      <Title order={2} size="h3" mb="xs">
        Runs
      </Title>
      <svg
        className={classes.outcomes}
        viewBox={`0 0 ${parts.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <title>{label}</title>
        {parts.map(({ start, runs_succeeded, runs_failed }, index) => {
          const [succeeded, failed] = [runs_succeeded, runs_failed].map(
            (count) => (count / max) * HEIGHT,
          ) as [number, number]
          const bar = { x: index * WIDTH, width: WIDTH - GAP }
          return (
            <g key={start}>
              <rect
                {...bar}
                className={classes.succeeded}
                y={HEIGHT - succeeded}
                height={succeeded}
              />
              <rect
                {...bar}
                className={classes.failed}
                y={HEIGHT - succeeded - failed}
                height={failed}
              />
            </g>
          )
        })}
      </svg>
      {label}
    </Card>
  )
}
