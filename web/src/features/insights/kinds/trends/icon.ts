export { IconChartLine as default } from '@tabler/icons-react'
