import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { ActivityTimeline, useItemActivity } from '../../activity/timeline.tsx'
import { configsPath } from '../api.ts'

export function ActivityTab({ config }: { readonly config: PipelineConfig }) {
  const path = `${configsPath(useProjectId())}/${config.id}/activity`
  return (
    <ActivityTimeline
      of={useItemActivity(path)}
      empty="Changes to this import app and its runs appear here."
    />
  )
}
