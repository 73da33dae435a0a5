import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Chart } from '#model/chart.ts'
import { toMarks } from '#model/charts/annotation-marks.ts'
import { annotationsQuery } from '../api/annotations.ts'
import { useProject, useProjectId } from '../api/project.ts'

/** Adds the annotations of its insight, dashboard and project to the chart of an insight. */
export function useMarkedChart(chart: Chart): Chart {
  const { dashboardId } = useParams({ strict: false })
  const timeZone = useProject()?.timezone
  const isInsight = chart.insightId !== undefined
  const { data } = useQuery({ ...annotationsQuery(useProjectId()), enabled: isInsight })
  return useMemo(() => {
    if (!isInsight || !data?.length || !timeZone) return chart
    const place = { dashboardId: Number(dashboardId), insightId: chart.insightId }
    return { ...chart, marks: toMarks(data, place, timeZone) }
  }, [chart, isInsight, data, timeZone, dashboardId])
}
