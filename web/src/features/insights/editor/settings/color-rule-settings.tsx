import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ColorRule } from '#model/color-rules.ts'
import { paletteOf, RULE_COLORS, type RuleColor, ruleColor } from '#model/palette.ts'
import { useScheme } from '../../../../ui/chart/use-scheme.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import classes from '../editor.module.css'
import { useFieldError } from '../errors.tsx'
import { Section } from '../forms/section.tsx'
import { isOverTime } from './axis-settings.tsx'
import { ColorChoice } from './color-choice.tsx'
import type { SettingsProps } from './settings.ts'

const OPERATORS = [
  { value: 'gt', label: '>' },
  { value: 'gte', label: '≥' },
  { value: 'lt', label: '<' },
  { value: 'lte', label: '≤' },
  { value: 'exact', label: '=' },
  { value: 'between', label: 'between' },
] as const satisfies readonly { value: ColorRule['operator']; label: string }[]

const NAMES: Readonly<Record<RuleColor, string>> = {
  green: 'Green',
  orange: 'Orange',
  red: 'Red',
  blue: 'Blue',
  purple: 'Purple',
  gray: 'Gray',
}

const MAX_RULES = 20
const NEW_RULE: ColorRule = { operator: 'gt', value: 0, color: 'green' }

/** Rules that color numbers, tables and value labels. */
export function ColorRuleSettings({ settings, set, path, display, columns }: SettingsProps) {
  const palette = paletteOf(useScheme())
  const rules = settings.colorRules ?? []
  const isOfNumbers = ['table', 'number', 'gauge', 'totals'].includes(display?.form ?? '')
  const isOfLabels = isOverTime(display) && display?.form !== 'box' && settings.showValuesOnSeries
  if (!isOfNumbers && !isOfLabels) return null
  const change = (at: number, changed: Partial<ColorRule>) =>
    set({ colorRules: rules.map((rule, each) => (each === at ? { ...rule, ...changed } : rule)) })
  const choices = toColumnChoices(columns, rules)
  const colors = RULE_COLORS.map((each) => ({ color: ruleColor(palette, each), name: NAMES[each] }))
  return (
    <Section title="Color rules">
      {rules.map((rule, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is its identity
        <Stack key={at} gap={6}>
          {display?.form === 'table' && choices.length > 2 && (
            <Choice
              aria-label={`Column of rule ${at + 1}`}
              data={choices}
              value={rule.column ?? ALL}
              onChange={(column) => change(at, { column: column || null })}
            />
          )}
          <Group gap={6} wrap="nowrap">
            <ColorChoice
              label={`Color of rule ${at + 1}`}
              color={ruleColor(palette, rule.color)}
              colors={colors}
              onChoose={(index) => change(at, { color: RULE_COLORS[index] as RuleColor })}
            />
            <Choice
              w={rule.operator === 'between' ? 106 : 72}
              aria-label={`Condition of rule ${at + 1}`}
              data={OPERATORS}
              value={rule.operator}
              onChange={(operator) =>
                change(at, {
                  operator,
                  to: operator === 'between' ? (rule.to ?? rule.value) : null,
                })
              }
            />
            <NumberInput
              className={classes.wide ?? ''}
              aria-label={`Value of rule ${at + 1}`}
              hideControls
              value={rule.value}
              onChange={(value) => change(at, { value: Number(value) || 0 })}
            />
            {rule.operator === 'between' && (
              <UpperEnd
                name={`Upper end of rule ${at + 1}`}
                path={`${path}__colorRules__${at}__to`}
                value={rule.to ?? rule.value}
                onChange={(to) => change(at, { to })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove rule ${at + 1}`}
              onClick={() => set({ colorRules: rules.filter((_, each) => each !== at) })}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        </Stack>
      ))}
      {rules.length < MAX_RULES && (
        <Button
          className={classes.start ?? ''}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => set({ colorRules: [...rules, NEW_RULE] })}
        >
          Add color rule
        </Button>
      )}
    </Section>
  )
}

/** Stands for all columns: a column cannot have an empty name. */
const ALL = ''

/** Lists the columns of numbers, and those that only the rules still name. */
const toColumnChoices = (columns: readonly string[], rules: readonly ColorRule[]) => {
  const named = rules.flatMap(({ column }) => column ?? [])
  return [{ value: ALL, label: 'All columns' }, ...new Set([...columns, ...named])]
}

interface UpperEndProps {
  readonly name: string
  /** The field in errors of the server. */
  readonly path: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function UpperEnd({ name, path, value, onChange }: UpperEndProps) {
  const error = useFieldError(path)
  return (
    <NumberInput
      className={classes.wide ?? ''}
      aria-label={name}
      hideControls
      value={value}
      error={error !== undefined}
      onChange={(changed) => onChange(Number(changed) || 0)}
    />
  )
}
