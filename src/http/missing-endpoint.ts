import { ApiError } from '../errors.ts'

const ERROR_TRACKING = /^\/api\/(projects|environments)\/[^/]+\/error_tracking\//

/** Names the remedy where PostHog's build tools upload source maps: they print the error and may end the build. */
export const missingEndpoint = (url: string): ApiError =>
  new ApiError(
    'not_found',
    ERROR_TRACKING.test(url)
      ? 'This server has no error tracking and stores no source maps. Set sourcemaps.enabled to false in the settings of your build.'
      : 'Endpoint not found.',
  )
