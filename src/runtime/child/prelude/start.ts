import type { FromApp, ToApp } from '#server/runtime/process/protocol.ts'
import type { Bridge, Prelude } from '../bridge.ts'
import { type App, loadApp } from './app.ts'
import { createCalls } from './calls.ts'
import { toAppError } from './errors.ts'
import { createStreams } from './streams.ts'

/** The first thing that runs in the app's context. From then on all that the parent says comes in here. */
export function start(bridge: Bridge): Prelude {
  // kept from apps that replace them
  const { parse, stringify } = JSON
  const send = (message: FromApp): void => {
    if (bridge.control(stringify(message))) return
    throw new RangeError('This is too large to leave the app. Pass it on in smaller parts.')
  }
  const calls = createCalls(send)
  const streams = createStreams(send, bridge.bytes)
  let app: App | undefined

  async function load(message: Extract<ToApp, { t: 'load' }>): Promise<unknown> {
    app = await loadApp({ bridge, calls, streams, send }, message.app)
    return app.description
  }

  async function answer(id: number, work: Promise<unknown> | undefined): Promise<void> {
    try {
      const value = await work
      send({ t: 'result', id, value })
    } catch (thrown) {
      send({ t: 'failure', id, error: toAppError(thrown) })
    }
  }

  return {
    receive(text) {
      const message = parse(text) as ToApp
      if (message.t === 'load') void answer(message.id, load(message))
      else if (message.t === 'invoke') {
        void answer(message.id, app?.invoke(message.task, message.payload))
      } else if (message.t === 'reply' || message.t === 'refuse') calls.settle(message)
      else if (message.t !== 'prelude') streams.control(message)
    },
    receiveBytes: streams.receive,
    problem: (reason) => send({ t: 'problem', message: toAppError(reason).stack }),
  }
}
