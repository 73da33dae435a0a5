import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { pluralize } from '#model/pluralize.ts'
import { useCohortCount } from '../cohorts/api.ts'
import { type Conditions, fromConditions, isConditionComplete } from './conditions.ts'

const WAIT_MS = 400

/** Counts the persons who match the conditions of a form. */
export function CountPreview({ conditions }: { readonly conditions: Conditions }) {
  const [settled] = useDebouncedValue(conditions, WAIT_MS)
  const isReady = settled.all.length > 0 && settled.all.every(isConditionComplete)
  const { data, error } = useCohortCount(isReady ? fromConditions(settled) : undefined)
  return (
    <Text size="sm" c={isReady && error ? 'red' : 'dimmed'} role="status">
      {isReady ? describe(data, error) : 'Complete the conditions to count the persons.'}
    </Text>
  )
}

function describe(count: number | undefined, error: Error | null): string {
  if (error) return error.message
  return count === undefined ? 'Counting…' : `Matches ${pluralize(count, 'person')} now.`
}
