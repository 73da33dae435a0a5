import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { createTurns } from '../turns.ts'
import { toRegisteredUrl } from './aliases.ts'
import { elapsedMs, installTurns } from './turns.ts'

/** Keeps the event loop busy, as the beginning of an expensive request does. */
function spend(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('leaves tasks to the next turns when the time of a turn is over', async () => {
  const { enter } = createTurns(5)
  const started: number[] = []

  for (const task of [1, 2, 3]) {
    enter(() => {
      started.push(task)
      spend(6)
    })
  }

  expect(started).toEqual([1])
  await nextTurn()
  await nextTurn()
  await nextTurn()
  expect(started).toEqual([1, 2, 3])
})

it('starts tasks that came later after those that wait', async () => {
  const { enter } = createTurns(5)
  const started: string[] = []
  enter(() => spend(6))
  enter(() => {
    started.push('first')
    spend(6)
  })
  await nextTurn()
  enter(() => started.push('last'))
  enter(() => started.push('very last'))

  await nextTurn()
  await nextTurn()

  expect(started).toEqual(['first', 'last', 'very last'])
})

it('starts every task at once while there is time', () => {
  const { enter } = createTurns(60_000)
  const started: number[] = []

  for (const task of [1, 2, 3]) enter(() => started.push(task))

  expect(started).toEqual([1, 2, 3])
})

it('starts no task in a turn that accepts a connection', async () => {
  const { enter, noteConnection } = createTurns(60_000, 60_000, 60_000)
  const started: number[] = []

  noteConnection()
  enter(() => started.push(1))

  expect(started).toEqual([])
  await nextTurn()
  await nextTurn()
  await nextTurn()
  expect(started).toEqual([1])
})

it('starts fewer tasks while a burst of connections does not end', async () => {
  const { enter, noteConnection } = createTurns(60_000, 2, 0)
  const started: number[] = []

  noteConnection()
  for (const task of [1, 2]) {
    enter(() => {
      started.push(task)
      spend(3)
    })
  }

  expect(started).toEqual([1])
  await nextTurn()
  await nextTurn()
  expect(started).toEqual([1, 2])
})

it('notices the connections of a server', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  installTurns(app)
  await app.listen()
  const started: number[] = []
  app.server.once('connection', (socket) => {
    socket.destroy()
    app.enterTurn(() => started.push(1))
    started.push(0)
  })

  const socket = connect((app.server.address() as AddressInfo).port)
  await once(
    socket.on('error', () => {}),
    'close',
  )

  await expect.poll(() => started).toEqual([0, 1])
})

it.each([
  ['holds a request in a turn without time, and counts its wait', '/health', false],
  ['begins an urgent request in a turn without time', '/health', true],
  ['begins an urgent request with a slash and a query', '/health/?from=probe', true],
])('%s', async (_, url, isUrgent) => {
  const app = Fastify({ rewriteUrl: (request) => toRegisteredUrl(request.url as string) })
  onTestFinished(() => app.close())
  app.server.on('request', () => app.enterTurn(() => spend(20)))
  installTurns(app)
  app.get('/health', { config: { isUrgent } }, async (request, reply) => ({
    hasWaited: elapsedMs(request, reply) > reply.elapsedTime,
  }))

  const response = await fetch((await app.listen()) + url)

  expect(await response.json()).toEqual({ hasWaited: !isUrgent })
})
