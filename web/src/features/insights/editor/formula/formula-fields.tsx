import { TextInput } from '@mantine/core'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import { useFieldError } from '../errors.tsx'
import { formulaPath, listFormulas, withFormula } from './formula-model.ts'

interface FormulaFieldsProps {
  readonly filter: TrendsQuery['trendsFilter']
  readonly onChange: (filter: TrendsQuery['trendsFilter']) => void
}

const MAX_FORMULAS = 20

/** Formulas that replace the series. */
export function FormulaFields({ filter, onChange }: FormulaFieldsProps) {
  const formulas = listFormulas(filter)
  const shown = formulas.length < MAX_FORMULAS ? [...formulas, ''] : formulas
  return shown.map((formula, at) => (
    <FormulaField
      // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
      key={at}
      at={at}
      formula={formula}
      path={formulaPath(filter, at)}
      onChange={(text) => onChange(withFormula(filter, at, text))}
    />
  ))
}

interface FormulaFieldProps {
  readonly at: number
  readonly formula: string
  readonly path: string
  readonly onChange: (formula: string) => void
}

function FormulaField({ at, formula, path, onChange }: FormulaFieldProps) {
  const problem = useFieldError(path)
  return (
    <TextInput
      aria-label={at === 0 ? 'Formula' : `Formula ${at + 1}`}
      placeholder={at === 0 ? 'A / B * 100' : 'Another formula'}
      maxLength={400}
      value={formula}
      error={formula === '' ? undefined : problem}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
