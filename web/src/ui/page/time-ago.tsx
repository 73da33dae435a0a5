import { toAgo } from '#model/ago.ts'
import { toExactTime } from './exact-time.ts'
import { useZone } from './zone.ts'

interface TimeAgoProps {
  readonly time: string | number | null | undefined
  readonly className?: string | undefined
}

/**
 * "3 hours ago", with the exact time on hover. Uses `title`, because rendering a tooltip component in each of hundreds
 * of rows would take longer than the rows.
 */
export function TimeAgo({ time, className }: TimeAgoProps) {
  const zone = useZone()
  if (!time) return <span className={className}>never</span>
  return (
    <time
      dateTime={new Date(time).toISOString()}
      title={toExactTime(time, zone)}
      className={className}
    >
      {toAgo(time)}
    </time>
  )
}
