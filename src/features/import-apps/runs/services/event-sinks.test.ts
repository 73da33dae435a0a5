import { expect, it } from 'vitest'
import { newEvent, startEventStore } from '../../../../../test/support/data/events.ts'
import { createEventSink } from './event-sinks.ts'

it('counts the events of a large write that were stored although others failed', async () => {
  const { events } = await startEventStore('sqlite')
  const sink = createEventSink(events, 1)
  const captured = Array.from({ length: 2000 }, () => newEvent())

  const adding = sink.add([...captured, newEvent({ uuid: 'broken' })])

  await expect(adding).rejects.toThrow('Must be a valid UUID.')
  expect(await sink.finish()).toBe(2000)
})
