import { getRouteApi } from '@tanstack/react-router'
import { withQuery } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { hasFilters } from '../../ui/list/search-params.ts'
import { CopyCurl } from '../../ui/page/copy-curl.tsx'
import { Page } from '../../ui/page/page.tsx'
import { toFilter, toLogPath, useActivityLog } from './api.ts'
import { ActivityFilters } from './filters.tsx'
import { ActivityTimeline } from './timeline.tsx'

const route = getRouteApi('/project/$projectId/activity')

export function ActivityPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const projectId = useProjectId()
  const log = useActivityLog(search)
  return (
    <Page
      title="Activity"
      about="Changes in this project."
      actions={<CopyCurl path={withQuery(toLogPath(projectId), toFilter(search))} />}
    >
      <ActivityFilters
        search={search}
        onChange={(next) =>
          void navigate({ to: '/project/$projectId/activity', search: next, replace: true })
        }
      />
      <ActivityTimeline
        of={log}
        empty={
          hasFilters(search)
            ? 'No activity matches these filters.'
            : 'Changes to dashboards, insights, import apps and settings appear here.'
        }
      />
    </Page>
  )
}
