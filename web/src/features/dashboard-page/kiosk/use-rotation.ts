import { useReducedMotion } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useProjectId } from '../../../api/project.ts'
import type { DashboardSearch } from '../../dashboard-list/search.ts'

const DEFAULT_SECONDS = 30

interface RotationInput {
  readonly id: number
  readonly search: DashboardSearch
  /** The screen holds the whole dashboard. */
  readonly fits: boolean
}

/** Shows the next screenful after each interval, then the next dashboard, then the first one again. */
export function useRotation({ id, search, fits }: RotationInput): void {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const isStill = useReducedMotion()
  const { rotate = [], seconds = DEFAULT_SECONDS } = search
  const next = rotate.length > 0 ? toNext(rotate, id) : id
  const isMoving = next !== id || !fits
  const advance = useRef(() => {})
  advance.current = () => {
    const behavior = isStill ? 'instant' : 'smooth'
    const rest = document.documentElement.scrollHeight - innerHeight - scrollY
    if (rest > 1) return scrollBy({ top: innerHeight * 0.9, behavior })
    if (next === id) return scrollTo({ top: 0, behavior })
    scrollTo({ top: 0, behavior: 'instant' })
    void navigate({
      to: '/project/$projectId/dashboards/$dashboardId',
      params: { projectId, dashboardId: `${next}` },
      search,
      replace: true,
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each dashboard is shown for the whole interval
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => advance.current(), seconds * 1000)
    return () => clearInterval(timer)
  }, [isMoving, seconds, id])
}

/** Returns the dashboard after this one; the first if this one is not among them. */
const toNext = (ids: readonly number[], id: number): number =>
  ids[(ids.indexOf(id) + 1) % ids.length] ?? id
