import type { Meta } from '../shared/app.ts'
import { toApp } from '../shared/to-app.ts'
import { handleRequest, type WebhookRequest } from './handle-request.ts'

export const onRequest = (request: WebhookRequest, meta: Meta) =>
  handleRequest(toApp(meta), request)
