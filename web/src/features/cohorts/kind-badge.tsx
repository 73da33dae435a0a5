import { Badge } from '@mantine/core'
import type { Cohort } from './api.ts'

interface KindBadgeProps {
  readonly cohort: Cohort
  readonly className?: string | undefined
}

export const KindBadge = ({ cohort, className }: KindBadgeProps) => (
  <Badge size="sm" color={cohort.is_static ? 'gray' : 'hedge'} className={className ?? ''}>
    {cohort.is_static ? 'List' : 'Dynamic'}
  </Badge>
)
