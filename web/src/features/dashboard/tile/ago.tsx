import { useInterval } from '@mantine/hooks'
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime'
import { useState } from 'react'

dayjs.extend(relativeTime)

const TICK_MS = 20_000

/** "Computed 2 minutes ago", and it goes on. */
export function Ago({ time, prefix }: { readonly time: string | number; readonly prefix: string }) {
  const [, tick] = useState(0)
  useInterval(() => tick((count) => count + 1), TICK_MS, { autoInvoke: true })
  const moment = dayjs(time)
  const isNow = Math.abs(moment.diff(dayjs(), 'second')) < 45
  return (
    <time dateTime={moment.toISOString()} title={moment.format('D MMM YYYY, HH:mm:ss')}>
      {prefix} {isNow ? 'just now' : moment.fromNow()}
    </time>
  )
}
