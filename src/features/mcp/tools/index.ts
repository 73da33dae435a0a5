import type { ToolDescriptor } from '../tool.ts'
import { ACTION_TOOLS } from './actions.ts'
import { ALERT_TOOLS } from './alerts.ts'
import { ANNOTATION_TOOLS } from './annotations.ts'
import { COMMENT_TOOLS } from './comments.ts'
import { CONNECTOR_TOOLS } from './connectors.ts'
import { DASHBOARD_TOOLS } from './dashboards.ts'
import { DATA_TOOLS } from './data.ts'
import { IMPORT_APP_TOOLS } from './import-apps.ts'
import { INSIGHT_TOOLS } from './insights.ts'
import { LINK_TOOLS } from './links.ts'
import { PERSON_TOOLS } from './persons.ts'
import { QUERY_TOOLS } from './queries.ts'

/** Every tool, in the order of `tools/list`. */
export const TOOLS: readonly ToolDescriptor[] = [
  ...DATA_TOOLS,
  ...QUERY_TOOLS,
  ...INSIGHT_TOOLS,
  ...DASHBOARD_TOOLS,
  ...LINK_TOOLS,
  ...PERSON_TOOLS,
  ...ACTION_TOOLS,
  ...ANNOTATION_TOOLS,
  ...COMMENT_TOOLS,
  ...ALERT_TOOLS,
  ...IMPORT_APP_TOOLS,
  ...CONNECTOR_TOOLS,
]
