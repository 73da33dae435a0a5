export const IDLE_MS = 30_000
export const BUSY_MS = 2000

export const configsPath = (projectId: number): string =>
  `/api/projects/${projectId}/pipeline_import_apps_configs`

export const configPath = (projectId: number, id: number): string =>
  `${configsPath(projectId)}/${id}`

/** Prefix of every query key of import apps. */
const APPS = 'apps'
export const listKey = (projectId: number) => [APPS, projectId, 'list'] as const
export const configKey = (projectId: number, id: number) => [APPS, projectId, 'config', id] as const
export const runsKey = (projectId: number, id: number) => [...configKey(projectId, id), 'runs']
export const metricsKey = (projectId: number, id: number) => [
  ...configKey(projectId, id),
  'metrics',
]

/** All queries about the project's import apps. */
export const allKeys = (projectId: number) => [[APPS, projectId]]
