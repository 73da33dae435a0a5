import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is about to stop. */
    readonly isStopping: boolean
    /** Sends clients to other servers while this one still serves them: `/_ready` fails, and responses close connections. */
    announceStop(): void
  }
}

export function installStopping(app: FastifyInstance): void {
  let isStopping = false
  app.decorate('isStopping', { getter: () => isStopping })
  app.addHook('preClose', async () => {
    isStopping = true // even on a connection that a health check keeps open
  })
  app.decorate('announceStop', () => {
    isStopping = true
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
  })
}
