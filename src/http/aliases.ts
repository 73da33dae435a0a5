/**
 * One operation has up to four URLs: `projects` and `environments` mean the same, and a trailing slash is allowed. Each
 * route is registered once, under the word that the API uses for it, and the other URLs are rewritten here, because
 * registering all four took two thirds of the start-up time. Older apps read events without a project in the URL.
 */
export const PROJECT_PATH = '/api/projects/:project_id'
export const ENVIRONMENT_PATH = '/api/environments/:project_id'
export const ORGANIZATION_PATH = '/api/organizations/:organization_id'

const ENVIRONMENT_PATHS = '[^/?]+/(?:dashboards|insights)(?:[/?]|$)'
const MISNAMED_PROJECT = new RegExp(`^/api/projects(?=/${ENVIRONMENT_PATHS})`)
const MISNAMED_ENVIRONMENT = new RegExp(
  `^/api/environments(?=/(?!${ENVIRONMENT_PATHS})[^/?]|/?(?:\\?|$))`,
)
const WITHOUT_PROJECT = /^\/api\/event(?=[/?]|$)/
const TRAILING_SLASH = /^(.[^?]*)\/(?=\?|$)/

export const toRegisteredUrl = (url: string): string =>
  url
    .replace(WITHOUT_PROJECT, '/api/projects/@current/events')
    .replace(MISNAMED_PROJECT, '/api/environments')
    .replace(MISNAMED_ENVIRONMENT, '/api/projects')
    .replace(TRAILING_SLASH, '$1')
