import { type TArrayOptions, Type } from 'typebox'

export const WATCHED = ['failed', 'recovered', 'stale', 'skipped', 'schema_changed'] as const
export type Watched = (typeof WATCHED)[number]
export type ImportEvent = `import.${Watched}`

export const WatchedList = (options: TArrayOptions) =>
  Type.Array(
    Type.Unsafe<Watched>({ title: 'ImportAlertEvent', type: 'string', enum: WATCHED }),
    options,
  )
