/**
 * One operation has up to four addresses: a project has one environment with the same id, so both words lead to
 * everything, and a slash may stand at the end. Each route is registered once, under the word that the interface
 * uses for it, and found from the others here: registering all four took two thirds of the time of a start.
 */
export const PROJECT = '/api/projects/:project_id'
export const ENVIRONMENT = '/api/environments/:project_id'
export const ORGANIZATION = '/api/organizations/:organization_id'

const OF_ENVIRONMENTS = '[^/?]+/(?:dashboards|insights)(?:[/?]|$)'
const MISNAMED_PROJECT = new RegExp(`^/api/projects(?=/${OF_ENVIRONMENTS})`)
const MISNAMED_ENVIRONMENT = new RegExp(`^/api/environments(?=/(?!${OF_ENVIRONMENTS})[^/?]+/.)`)
const LAST_SLASH = /^(.[^?]*)\/(?=\?|$)/

export const toRegisteredUrl = (url: string): string =>
  url
    .replace(MISNAMED_PROJECT, '/api/environments')
    .replace(MISNAMED_ENVIRONMENT, '/api/projects')
    .replace(LAST_SLASH, '$1')
