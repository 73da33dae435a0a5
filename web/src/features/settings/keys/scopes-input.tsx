import { Alert, SegmentedControl, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from '../settings.module.css'
import { type Access, accessTo, FULL_ACCESS, RESOURCES, withAccess } from './scopes.ts'

interface ScopesInputProps {
  readonly value: readonly string[]
  readonly onChange: (scopes: string[]) => void
}

const LABELS = { none: 'None', read: 'Read', write: 'Edit' }

export function ScopesInput({ value, onChange }: ScopesInputProps) {
  if (value.includes(FULL_ACCESS)) {
    return (
      <Alert
        mt="sm"
        color="orange"
        variant="light"
        icon={<IconAlertTriangle size={18} />}
        title="Full access"
      >
        <Text size="sm">This key can do everything you can. Limit it if possible.</Text>
      </Alert>
    )
  }
  return (
    <div className={classes.scopes}>
      {RESOURCES.map((each) => {
        const words: Partial<Record<Access, string>> = each
        const access = accessTo(value, each.resource)
        const choices = (['none', 'read', 'write'] as const).filter(
          (choice) => choice === 'none' || words[choice],
        )
        return (
          <div key={each.resource} className={classes.scope}>
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
              onChange={(chosen) => onChange(withAccess(value, each.resource, chosen as Access))}
            />
          </div>
        )
      })}
    </div>
  )
}
