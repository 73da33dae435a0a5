import type { FastifyInstance } from 'fastify'
import { createThrottle } from '#server/access/throttle.ts'
import { ApiError } from '#server/errors.ts'
import { installJsonType } from '#server/http/json-body.ts'
import { scimDiscoveryRoutes } from './discovery-routes.ts'
import { SCIM_TYPE, sendScimError } from './errors.ts'
import { scimGroupRoutes } from './group-routes.ts'
import type { ScimRoutesOptions } from './http.ts'
import { useScimToken } from './tokens.ts'
import { scimUserRoutes } from './user-routes.ts'

/** Mounted at /scim/v2, for identity providers, which have a token of their own. */
export async function scimRoutes(app: FastifyInstance, options: ScimRoutesOptions): Promise<void> {
  const throttle = createThrottle()
  installJsonType(app, SCIM_TYPE)
  app.setErrorHandler(sendScimError)
  app.addHook('onRequest', async ({ ip, headers }) => {
    throttle.require(ip)
    const token = headers.authorization?.match(/^Bearer\s+(\S+)\s*$/i)?.[1]
    if (token && (await useScimToken(options.db, token))) return
    if (token) throttle.countFailure(ip)
    throw refusedToken(token)
  })
  const { db, groupRules, url } = options
  app.register(scimUserRoutes, { db, groupRules, url })
  app.register(scimGroupRoutes, { db, groupRules, url })
  app.register(scimDiscoveryRoutes)
}

const CHALLENGE = { 'www-authenticate': 'Bearer' }

function refusedToken(token: string | undefined): ApiError {
  return token
    ? new ApiError('authentication_failed', 'The SCIM token is invalid.', null, CHALLENGE)
    : new ApiError('not_authenticated', 'A SCIM token is required.', null, CHALLENGE)
}
