import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { toAgo } from '#model/ago.ts'
import { toExactTime } from '../../../ui/page/exact-time.ts'
import { useZone } from '../../../ui/page/zone.ts'

const TICK_MS = 20_000

/** Shows "Computed 2 minutes ago" and keeps it current. */
export function Ago({ time, prefix }: { readonly time: string | number; readonly prefix: string }) {
  const [, tick] = useState(0)
  const zone = useZone()
  useInterval(() => tick((count) => count + 1), TICK_MS, { autoInvoke: true })
  return (
    <time dateTime={new Date(time).toISOString()} title={toExactTime(time, zone)}>
      {prefix} {toAgo(time)}
    </time>
  )
}
