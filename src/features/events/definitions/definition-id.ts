import { hash } from 'node:crypto'
import { toUuid } from '#server/http/ids.ts'
import type { DefinitionType } from './details-store.ts'

/** Derives the ID of a definition, because names come from events, which nobody numbers. */
export const toDefinitionId = (type: DefinitionType, name: string): string =>
  toUuid(hash('sha256', `${type}\n${name}`).slice(0, 32)) as string
