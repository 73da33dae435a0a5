/** The icons of query kinds and displays, by the names that their descriptors give them. */
export {
  IconAlignLeft,
  IconArrowsSplit2,
  IconCalendarRepeat,
  IconCalendarWeek,
  IconChartAreaLine,
  IconChartBar,
  IconChartColumn,
  IconChartLine,
  IconChartPie,
  IconDatabase,
  IconFilter,
  IconGridDots,
  IconHeartbeat,
  IconNumber123,
  IconTable,
  IconTrendingUp,
} from '@tabler/icons-react'
