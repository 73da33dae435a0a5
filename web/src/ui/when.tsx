import { Text, type TextProps, Tooltip } from '@mantine/core'
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime'

dayjs.extend(relativeTime)

/** "3 hours ago", and the exact time on hover. */
export function When({ time, ...props }: TextProps & { readonly time: string | null | undefined }) {
  if (!time) return <Text {...props}>never</Text>
  const moment = dayjs(time)
  return (
    <Tooltip label={moment.format('D MMM YYYY, HH:mm:ss')}>
      <Text component="time" dateTime={time} {...props}>
        {moment.fromNow()}
      </Text>
    </Tooltip>
  )
}
