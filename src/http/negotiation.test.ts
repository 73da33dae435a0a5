import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendIfJsonAccepted } from './negotiation.ts'

async function send(accept: string | undefined) {
  let computed = 0
  const app = Fastify()
  onTestFinished(() => app.close())
  app.get('/', (request, reply) =>
    sendIfJsonAccepted(request, reply, async () => {
      computed++
      return { done: true }
    }),
  )
  const response = await app.inject({ url: '/', headers: accept === undefined ? {} : { accept } })
  return { status: response.statusCode, text: response.body, computed, vary: response.headers.vary }
}

describe('sendIfJsonAccepted', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.5',
    '*/*,application/json',
  ])('sends the result to a client that accepts %s', async (accept) => {
    const response = await send(accept)

    expect(response).toMatchObject({ status: 200, text: '{"done":true}', computed: 1 })
  })

  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'text/html',
    'application/jsonp',
    'application/problem+json',
    'x/application/json',
  ])('sends no body and computes nothing for a client that accepts %s', async (accept) => {
    const response = await send(accept)

    expect(response).toMatchObject({ status: 200, text: '', computed: 0 })
  })

  it('sets Vary', async () => {
    expect((await send('*/*')).vary).toContain('accept')
  })
})
