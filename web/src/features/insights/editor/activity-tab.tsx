import { useProjectId } from '../../../api/project.ts'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { insightsPath } from './api.ts'

export function ActivityTab({ shortId }: { readonly shortId: string }) {
  const path = `${insightsPath(useProjectId())}/${shortId}/activity`
  return <ActivityTimeline of={useItemActivity(path)} />
}
