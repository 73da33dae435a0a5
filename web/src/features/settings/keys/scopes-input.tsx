import { Alert, SegmentedControl, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from '../settings.module.css'
import { type Access, accessTo, EVERYTHING, THINGS, withAccess } from './scopes.ts'

interface ScopesInputProps {
  readonly value: readonly string[]
  readonly onChange: (scopes: string[]) => void
}

const LABELS = { none: 'Nothing', read: 'Read', write: 'Change' }

export function ScopesInput({ value, onChange }: ScopesInputProps) {
  if (value.includes(EVERYTHING)) {
    return (
      <Alert
        mt="sm"
        color="orange"
        variant="light"
        icon={<IconAlertTriangle size={18} />}
        title="As strong as you are"
      >
        <Text size="sm">
          Whoever has this key may do everything that you may. Choose less if you can.
        </Text>
      </Alert>
    )
  }
  return (
    <div className={classes.scopes}>
      {THINGS.map((each) => {
        const words: Partial<Record<Access, string>> = each
        const access = accessTo(value, each.thing)
        const choices = (['none', 'read', 'write'] as const).filter(
          (choice) => choice === 'none' || words[choice],
        )
        return (
          <div key={each.thing} className={classes.scope}>
            <div>
              <Text size="sm">{each.name}</Text>
              <Text size="xs" c="dimmed">
                {words[access] ?? words.read ?? words.write}
              </Text>
            </div>
            <SegmentedControl
              size="xs"
              aria-label={each.name}
              data={choices.map((choice) => ({ value: choice, label: LABELS[choice] }))}
              value={access}
              onChange={(chosen) => onChange(withAccess(value, each.thing, chosen as Access))}
            />
          </div>
        )
      })}
    </div>
  )
}
