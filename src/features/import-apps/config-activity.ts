import { defineLog } from '#server/features/activity/log.ts'
import type { Plugin } from './plugins/schema.ts'

export interface LoggedConfig {
  readonly configId: number
  readonly plugin: Plugin | undefined
}

export const configLog = defineLog<LoggedConfig>('PluginConfig', {
  toItem: ({ configId, plugin }) => ({ id: configId, name: plugin?.name ?? '' }),
})
