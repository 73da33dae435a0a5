import { Text, type TextProps, Tooltip } from '@mantine/core'
import { toAgo } from '#model/ago.ts'
import { toExactTime } from './exact-time.ts'

/** "3 hours ago", with the exact time as a tooltip. */
export function When({ time, ...props }: TextProps & { readonly time: string | null | undefined }) {
  if (!time) return <Text {...props}>never</Text>
  return (
    <Tooltip label={toExactTime(time)}>
      <Text component="time" dateTime={time} {...props}>
        {toAgo(time)}
      </Text>
    </Tooltip>
  )
}
