export { IconCalendarRepeat as default } from '@tabler/icons-react'
