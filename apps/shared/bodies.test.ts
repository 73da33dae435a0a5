import { expect, it } from 'vitest'
import { brokenOff, createFakeApp, type FakeResponse } from '../../test/apps/fake-app.ts'
import { readBody } from './bodies.ts'
import { request } from './requests.ts'

const URL_ = 'https://api.example.com/file?key=hidden'
const TEXT = 'the quick brown fox '.repeat(200)

/** Responds with these in order, then repeats the last one, and reads the body. */
async function read(...responses: (() => FakeResponse)[]) {
  const fake = createFakeApp({
    respond: () => ((responses.length > 1 ? responses.shift() : responses[0]) ?? (() => ({})))(),
  })
  const first = await request(fake.app, URL_, {})
  const reading = Array.fromAsync(readBody(fake.app, URL_, {}, first))
  const text = reading.then((chunks) => Buffer.concat(chunks).toString())
  return { fake, text: await text.catch((error: Error) => error) }
}

const whole = () => ({ body: TEXT })
const upTo = (length: number) => () => ({ body: brokenOff(TEXT.slice(0, length)) })

it('continues a body that breaks off, and yields each byte once', async () => {
  const { fake, text } = await read(upTo(0), upTo(1500), upTo(700), upTo(2000), whole)

  expect(text).toBe(TEXT)
  expect(fake.slept).toEqual([1000, 1000, 2000, 1000])
  expect(fake.logs[1]).toBe(
    'http://a/ broke off after 1500 bytes (other side closed). Retrying in 1 s.',
  )
})

it.each([
  ['begins differently', () => ({ body: `T${TEXT.slice(1)}` })],
  ['is shorter', () => ({ body: TEXT.slice(0, 1000) })],
])('refuses a repeated body that %s', async (_, repeated) => {
  const { text } = await read(upTo(1500), repeated)

  expect(text).toMatchObject({
    message:
      'https://api.example.com/file broke off after 1500 bytes and had other content afterwards. Run it again.',
  })
})

it('gives up after six attempts that get no further', async () => {
  const { fake, text } = await read(upTo(1500))

  expect(text).toMatchObject({
    message:
      'http://a/ broke off after 1500 bytes (other side closed), 6 times in a row. The next run continues from here.',
  })
  expect(fake.requested).toHaveLength(6)
})
