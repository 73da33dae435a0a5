import Fastify, { type FastifyInstance } from 'fastify'
import packageJson from '../package.json' with { type: 'json' }
import { installGuard } from './access/guard.ts'
import { installReadCache } from './access/read-cache.ts'
import type { Config } from './config.ts'
import type { Storage } from './db/open.ts'
import { projectRoutes } from './features/projects/routes.ts'
import { installDocsPage } from './http/docs-page.ts'
import { installErrorHandler } from './http/error-handler.ts'
import { installHeaders } from './http/headers.ts'
import { installJsonBody } from './http/json-body.ts'
import { collectPaths, methodNotAllowedRoutes } from './http/method-not-allowed.ts'
import { installOpenApi } from './http/openapi.ts'
import { installOperations } from './http/operations.ts'
import { installRequestLog } from './http/request-log.ts'
import { serverOptions } from './http/server-options.ts'
import { installValidation } from './http/validation.ts'

export interface AppOptions {
  readonly storage: Storage
  readonly config: Pick<Config, 'logLevel' | 'trustedProxy'>
}

const ABOUT = 'Import apps and dashboards of a project, over HTTP and JSON.'

/** The whole service: what every request passes through, then every feature and where it is mounted. */
export function buildApp({ storage, config }: AppOptions): FastifyInstance {
  const { db } = storage
  const app = Fastify(serverOptions(config))

  const paths = collectPaths(app)
  installOpenApi(app, { title: 'Hedgerow', version: packageJson.version, description: ABOUT })
  installValidation(app)
  installErrorHandler(app)
  installJsonBody(app)
  installHeaders(app)
  installRequestLog(app)
  installOperations(app, storage)
  installGuard(app, storage)
  installReadCache(app)
  installDocsPage(app)

  app.register(projectRoutes, { prefix: '/api', db })
  app.register(methodNotAllowedRoutes, { paths })
  return app
}
