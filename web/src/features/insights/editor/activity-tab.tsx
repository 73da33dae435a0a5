import { useProjectId } from '../../../api/project.ts'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { insightsOf } from './api.ts'

export function ActivityTab({ shortId }: { readonly shortId: string }) {
  const path = `${insightsOf(useProjectId())}/${shortId}/activity`
  return <ActivityTimeline of={useItemActivity(path)} />
}
