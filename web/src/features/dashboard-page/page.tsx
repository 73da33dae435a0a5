import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError } from '../../api/client.ts'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { QueryContent } from '../../ui/page/states.tsx'
import { dashboardQuery } from './api.ts'
import { type Override, onlyFilters, toOverride } from './filters/override.ts'
import { LoadedDashboard } from './loaded-dashboard.tsx'
import { useSectionChoices } from './use-section-choices.ts'

const ROUTE = '/project/$projectId/dashboards/$dashboardId'

export function DashboardPage() {
  const projectId = useProjectId()
  const id = Number(useParams({ from: ROUTE }).dashboardId)
  const search = useSearch({ from: ROUTE })
  const { choices } = useSectionChoices(id)
  const isViewer = useIsViewer()
  // viewers see the dashboard with its own filters
  const override = useMemo(
    () => toOverride(isViewer ? {} : search, choices),
    [isViewer, search, choices],
  )
  const query = useQuery({ ...dashboardQuery(projectId, id, override), enabled: id > 0 })
  if (!(id > 0)) return <NotFound />
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />
  return (
    <QueryContent query={query} loading={<DashboardSkeleton />}>
      {(now) => (
        <LoadedDashboard
          key={id}
          now={now}
          search={search}
          override={override}
          isOutdated={query.isPlaceholderData && !isSameFilter(now.override, override)}
          problem={query.error}
        />
      )}
    </QueryContent>
  )
}

/** Opening a section changes no result that is shown. */
const isSameFilter = (one: Override, other: Override): boolean =>
  JSON.stringify(onlyFilters(one)) === JSON.stringify(onlyFilters(other))

function DashboardSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      <Skeleton h={28} w={260} animate={false} />
      <Skeleton h={32} w={340} animate={false} />
      <Skeleton h={384} radius="lg" animate={false} />
    </Stack>
  )
}
