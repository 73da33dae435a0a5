import { Button, Fieldset, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { FilterRow } from '../../properties/filter-row.tsx'
import { isComplete, NEW_FILTER } from '../../properties/filters-model.ts'
import { usePatchProject } from './api.ts'

interface TestAccountsProps {
  readonly project: Project
  readonly canEdit: boolean
}

const NEW_RULE: PropertyFilter = { ...NEW_FILTER, type: 'person', operator: 'not_icontains' }

/** The filters that all counted events meet when test accounts are excluded. */
export function TestAccounts({ project, canEdit }: TestAccountsProps) {
  const patch = usePatchProject(project.id)
  const saved = project.test_account_filters as readonly PropertyFilter[]
  const [edited, setEdited] = useState<readonly PropertyFilter[]>()
  const rules = edited ?? saved
  const save = () =>
    patch.mutate(
      { test_account_filters: [...rules] },
      {
        onSuccess: () => {
          setEdited(undefined)
          notify({ message: 'Rules saved.' })
        },
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="sm">
        {patch.error && <ErrorAlert error={patch.error} />}
        {rules.length === 0 && (
          <Text size="sm" c="dimmed">
            No rules yet. Example: “email does not contain @your-company.com”.
          </Text>
        )}
        {rules.map((rule, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids
          <Fieldset key={at} variant="unstyled" disabled={!canEdit} aria-label={`Rule ${at + 1}`}>
            <FilterRow
              filter={rule}
              noun="rule"
              onChange={(changed) => setEdited(rules.with(at, changed))}
              {...(canEdit && { onRemove: () => setEdited(rules.toSpliced(at, 1)) })}
            />
          </Fieldset>
        ))}
        {canEdit && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => setEdited([...rules, NEW_RULE])}
            >
              Add rule
            </Button>
            <Button
              type="submit"
              loading={patch.isPending}
              disabled={!edited || !rules.every(isComplete)}
            >
              Save rules
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
