import { CAN_EDIT, EVERYONE_CAN_EDIT } from '#model/levels.ts'
import type { DashboardListItem } from '#server/features/dashboards/dashboards/schema.ts'
import type { Me, Project } from '#server/features/people/projects/schema.ts'
import type { Page } from '../api/client.ts'

const CREATED_AT = '2026-01-05T10:00:00.000Z'
const toUuid = (id: number): string => `00000000-0000-4000-8000-${`${id}`.padStart(12, '0')}`

const ORGANIZATION = { id: toUuid(900), name: 'Hedgerow', membership_level: 15 }

export const PROJECT: Project = {
  id: 1,
  uuid: toUuid(800),
  organization: ORGANIZATION.id,
  project_id: 1,
  name: 'Default project',
  api_token: 'phc_test',
  timezone: 'UTC',
  is_demo: false,
  retention_days: null,
  week_start_day: 1,
  test_account_filters: [],
  created_at: CREATED_AT,
}

/** The signed-in user: owner of the organization. */
export const ME: Me = {
  id: 1,
  uuid: toUuid(1),
  distinct_id: 'olive',
  first_name: 'Olive',
  last_name: 'Owner',
  email: 'olive@example.com',
  is_email_verified: true,
  hedgehog_config: {},
  date_joined: CREATED_AT,
  has_password: true,
  team: PROJECT,
  organization: ORGANIZATION,
  organizations: [ORGANIZATION],
}

/** One complete page of a list. */
export const pageOf = <T>(...results: readonly T[]): Page<T> => ({
  count: results.length,
  next: null,
  previous: null,
  results,
})

export const dashboardItem = (item: Partial<DashboardListItem> = {}): DashboardListItem => ({
  id: 1,
  name: 'Growth',
  description: '',
  pinned: false,
  created_at: CREATED_AT,
  created_by: ME,
  is_shared: false,
  deleted: false,
  creation_mode: 'default',
  tags: [],
  restriction_level: EVERYONE_CAN_EDIT,
  effective_restriction_level: EVERYONE_CAN_EDIT,
  effective_privilege_level: CAN_EDIT,
  last_modified_at: CREATED_AT,
  ...item,
})
