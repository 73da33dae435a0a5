import { alerts } from './alerts.ts'
import { cohorts } from './cohorts.ts'
import { dashboards } from './dashboards.ts'
import type { Exchange } from './exchange.ts'
import { insights } from './insights.ts'
import { layouts } from './layouts.ts'
import { members, projectSettings, projects } from './projects.ts'

/** The requests of a resource's whole life, by the name of the resource. */
export const CONVERSATIONS: Readonly<Record<string, readonly Exchange[]>> = {
  posthog_dashboard: dashboards,
  posthog_insight: insights,
  posthog_dashboard_layout: layouts,
  posthog_alert: alerts,
  posthog_project: projects,
  posthog_project_settings: projectSettings,
  posthog_cohort: cohorts,
  posthog_organization_member: members,
}
