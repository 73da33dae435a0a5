/**
 * One operation has up to four URLs: `projects` and `environments` mean the same, and a trailing slash is allowed. Each
 * route is registered once, under the word that the API uses for it, and the other URLs are rewritten here, because
 * registering all four took two thirds of the start-up time. Older apps name resources without a project in the URL, in
 * the singular; they mean the current project of the key's owner.
 */
export const PROJECT_PATH = '/api/projects/:project_id'
export const ENVIRONMENT_PATH = '/api/environments/:project_id'
export const ORGANIZATION_PATH = '/api/organizations/:organization_id'

const ENVIRONMENT_PATHS = '[^/?]+/(?:dashboards|insights)(?:[/?]|$)'
const MISNAMED_PROJECT = new RegExp(`^/api/projects(?=/${ENVIRONMENT_PATHS})`)
const MISNAMED_ENVIRONMENT = new RegExp(
  `^/api/environments(?=/(?!${ENVIRONMENT_PATHS})[^/?]|/?(?:\\?|$))`,
)
/** Resources by the name that they have without a project in the URL. */
const WITHOUT_PROJECT: Readonly<Record<string, string>> = {
  action: 'actions',
  annotation: 'annotations',
  cohort: 'cohorts',
  dashboard: 'dashboards',
  dashboard_item: 'insights',
  event: 'events',
  insight: 'insights',
  person: 'persons',
}
const SINGULAR = new RegExp(`^/api/(${Object.keys(WITHOUT_PROJECT).join('|')})(?=[/?]|$)`)
const OLD_ME = /^\/api\/user(?=[/?]|$)/
/** Generated clients encode all of a path parameter. */
const ENCODED_AT = /\/%40(me|current)(?=[/?]|$)/gi
const TRAILING_SLASH = /^(.[^?]*)\/(?=\?|$)/

/** Looks for the API's own names only below `/api`, because browsers send events, one per request, elsewhere. */
export const toRegisteredUrl = (url: string): string =>
  url.startsWith('/api') ? toRegisteredApiUrl(url) : url.replace(TRAILING_SLASH, '$1')

const toRegisteredApiUrl = (url: string): string =>
  url
    .replace(ENCODED_AT, (encoded, name, at) => (isInQuery(url, at) ? encoded : `/@${name}`))
    .replace(SINGULAR, (_, name) => `/api/projects/@current/${WITHOUT_PROJECT[name]}`)
    .replace(OLD_ME, '/api/users/@me')
    .replace(MISNAMED_PROJECT, '/api/environments')
    .replace(MISNAMED_ENVIRONMENT, '/api/projects')
    .replace(TRAILING_SLASH, '$1')

const isInQuery = (url: string, at: number): boolean => url.lastIndexOf('?', at) >= 0
