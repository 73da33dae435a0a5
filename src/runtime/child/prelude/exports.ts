import type { AppDescription } from '#server/runtime/wire/protocol.ts'

type AnyFunction = (...args: unknown[]) => unknown
type Fields = Record<string, unknown>

export interface AppExports {
  find(name: string): AnyFunction | undefined
  findJob(name: string): AnyFunction | undefined
  describe(): AppDescription
}

const METHODS = [
  'setupPlugin',
  'teardownPlugin',
  'onEvent',
  'processEvent',
  'processEventBatch',
  'exportEvents',
  'composeWebhook',
  'getSettings',
  'onRequest',
  'runBackfill',
]

/** Reads an app's exports; the first object that has a name wins. Globals count only if the app exports nothing. */
export function readExports(
  exported: unknown,
  moduleExported: unknown,
  global: object,
): AppExports {
  const objects = [exported, defaultIn(exported), moduleExported, defaultIn(moduleExported)].filter(
    isObject,
  )
  const hasNoExports = objects.every((object) => Object.keys(object).length === 0)
  const sources = hasNoExports ? [global as Fields] : objects

  const value = (name: string): unknown =>
    sources.find((source) => source[name] !== undefined)?.[name]
  const find = (name: string): AnyFunction | undefined => {
    const found = value(name)
    return typeof found === 'function' ? (found as AnyFunction) : undefined
  }
  const jobs = (): Fields => {
    const found = value('jobs')
    return isObject(found) ? found : {}
  }
  const names = () => new Set(sources.flatMap((source) => Object.getOwnPropertyNames(source)))

  return {
    find,
    findJob: (name) => {
      const job = Object.hasOwn(jobs(), name) ? jobs()[name] : undefined
      return typeof job === 'function' ? (job as AnyFunction) : undefined
    },
    describe: () => ({
      scheduled_tasks: [...names()].filter((name) => name.startsWith('runEvery') && find(name)),
      jobs: Object.keys(jobs()).filter((name) => typeof jobs()[name] === 'function'),
      methods: METHODS.filter(find),
    }),
  }
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const defaultIn = (value: unknown): unknown => (isObject(value) ? value.default : undefined)
