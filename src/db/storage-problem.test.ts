import { describe, expect, it } from 'vitest'
import { OperatorError } from '../errors.ts'
import { describeOutage, describeStorageProblem } from './storage-problem.ts'

const failure = (message: string, more: object) => Object.assign(new Error(message), more)

const REFUSED = { code: 'ECONNREFUSED' }

describe('the description of a storage problem', () => {
  it('says which server cannot be reached', () => {
    const postgres = failure('connect ECONNREFUSED ::1:5432', REFUSED)
    const clickHouse = failure('connect ECONNREFUSED ::1:8123', {
      ...REFUSED,
      server: 'ClickHouse',
    })

    expect(describeStorageProblem(postgres)).toBe(
      "PostgreSQL failed: connect ECONNREFUSED ::1:5432. Check DATABASE_URL, the server, and the user's rights.",
    )
    expect(describeStorageProblem(clickHouse)).toBe(
      'ClickHouse cannot be reached: connect ECONNREFUSED ::1:8123. Check EVENTS_URL and that the server is up.',
    )
    expect(describeOutage(postgres)).toBe('The database was unavailable.')
    expect(describeOutage(clickHouse)).toBe('ClickHouse was unavailable.')
  })

  it.each([
    'Cannot reach ClickHouse at host:8123/db: timeout expired.',
    'ClickHouse at host:8123/db has no room: No space left on device.',
  ])('repeats the sentence of an error for the operator: %s', (sentence) => {
    const error = Object.assign(new OperatorError(sentence), REFUSED)

    expect(describeStorageProblem(error)).toBe(sentence)
  })

  it('names each address of a name that refuses connections', () => {
    const causes = ['::1:5432', '127.0.0.1:5432'].map((at) => new Error(`connect to ${at}`))
    const error = Object.assign(new AggregateError(causes), REFUSED)

    expect(describeStorageProblem(error)).toMatch(
      /^PostgreSQL failed: connect to ::1:5432, connect to 127\.0\.0\.1:5432\. Check/,
    )
  })

  it('leaves bugs to their stack', () => {
    expect(
      describeStorageProblem(failure('syntax error', { server: 'ClickHouse' })),
    ).toBeUndefined()
    expect(describeOutage(new TypeError('x is undefined'))).toBeUndefined()
  })
})
