import { useLocalStorage } from '@mantine/hooks'
import { parseColumn } from '#model/event-columns.ts'
import { useProjectId } from '../../api/project.ts'

/** More columns would leave no room for values. */
export const MAX_SHOWN = 8

/** Returns the property columns of the URL, or else those last chosen in this browser. */
export function useColumns(inUrl: readonly string[] | undefined) {
  const key = `hedgerow-event-columns-${useProjectId()}`
  const [saved, save] = useLocalStorage<readonly string[]>({ key, defaultValue: [] })
  const texts = [...new Set(inUrl ?? saved)].slice(0, MAX_SHOWN)
  const columns = texts.map(parseColumn).filter((column) => column !== undefined)
  return { columns, save }
}
