import { useLocalStorage } from '@mantine/hooks'
import { useProjectId } from '../../api/project.ts'
import { type Goal, toGoals } from './goals.ts'

/** Returns the goals of the URL, or else those last chosen in this browser. */
export function useGoals(inUrl: readonly unknown[] | undefined) {
  const key = `hedgerow-web-goals-${useProjectId()}`
  const [saved, save] = useLocalStorage<readonly Goal[]>({ key, defaultValue: [] })
  return { goals: toGoals(inUrl ?? saved), save }
}
