import { type Static, Type } from 'typebox'
import { Run } from '#server/features/import-apps/runs/schema.ts'
import { ProjectId } from '#server/http/params.ts'

export const DemoParams = Type.Object({ project_id: ProjectId })

export const DemoData = Type.Object(
  {
    config_id: Type.Integer({ description: 'The config of the app that generates the events.' }),
    dashboard_id: Type.Integer({ description: 'The first dashboard that shows them.' }),
    dashboard_ids: Type.Array(Type.Integer(), { description: 'All dashboards that show them.' }),
    run: Run,
  },
  { title: 'DemoData', additionalProperties: false },
)
export type DemoData = Static<typeof DemoData>
