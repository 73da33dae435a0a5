import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Chart } from '#model/chart.ts'
import { toMarks } from '#model/charts/annotation-marks.ts'
import type { Annotation } from '#server/features/dashboards/annotations/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProject, useProjectId } from '../../api/project.ts'

/** Adds the annotations of its insight, dashboard and project to the chart of an insight. */
export function useMarkedChart(chart: Chart): Chart {
  const { dashboardId } = useParams({ strict: false })
  const timeZone = useProject()?.timezone
  const isInsight = chart.insightId !== undefined
  const projectId = useProjectId()
  const { data } = useQuery({
    queryKey: ['annotations', projectId],
    queryFn: () =>
      api.get<ListPage<Annotation>>(`/api/projects/${projectId}/annotations`, { limit: 1000 }),
    staleTime: 60_000,
    enabled: isInsight,
  })
  const annotations = data?.results
  return useMemo(() => {
    if (!isInsight || !annotations?.length || !timeZone) return chart
    const place = { dashboardId: Number(dashboardId), insightId: chart.insightId }
    return { ...chart, marks: toMarks(annotations, place, timeZone) }
  }, [chart, isInsight, annotations, timeZone, dashboardId])
}
