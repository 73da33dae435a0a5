import { ActionIcon, Button, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Project } from '#server/features/people/projects/schema.ts'
import { notify } from '../../../ui/notify.ts'
import { ErrorAlert } from '../../../ui/states.tsx'
import { usePatchProject } from './api.ts'
import {
  newRule,
  RULE_OPERATORS,
  takesList,
  takesValue,
  toFilters,
  toRules,
} from './test-account-rules.ts'

interface TestAccountsProps {
  readonly project: Project
  readonly canEdit: boolean
}

export function TestAccounts({ project, canEdit }: TestAccountsProps) {
  const patch = usePatchProject(project.id)
  const form = useForm({ initialValues: { rules: toRules(project.test_account_filters) } })
  const { rules } = form.values
  const save = form.onSubmit(() =>
    patch.mutate(
      { test_account_filters: toFilters(rules) },
      {
        onSuccess: () => {
          form.resetDirty()
          notify({ message: 'Rules saved.' })
        },
      },
    ),
  )
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        {patch.error && <ErrorAlert error={patch.error} />}
        {rules.length === 0 && (
          <Text size="sm" c="dimmed">
            No rules yet. Example: “email does not contain @your-company.com”.
          </Text>
        )}
        {rules.map((rule, index) => {
          const at = (name: string) => `rules.${index}.${name}`
          return (
            <Group key={rule.key} gap="xs" align="flex-start">
              <TextInput
                aria-label="Property"
                placeholder="Property, e.g. email"
                required
                flex={1}
                miw={140}
                disabled={!canEdit}
                {...form.getInputProps(at('property'))}
              />
              <Select
                aria-label="Condition"
                data={RULE_OPERATORS}
                allowDeselect={false}
                w={170}
                disabled={!canEdit}
                {...form.getInputProps(at('operator'))}
              />
              {takesList(rule.operator) && (
                <TagsInput
                  aria-label="Values"
                  placeholder="Values"
                  flex={1}
                  miw={160}
                  disabled={!canEdit}
                  {...form.getInputProps(at('values'))}
                />
              )}
              {takesValue(rule.operator) && (
                <TextInput
                  aria-label="Value"
                  placeholder="Value"
                  flex={1}
                  miw={160}
                  disabled={!canEdit}
                  {...form.getInputProps(at('value'))}
                />
              )}
              {canEdit && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={`Remove rule for ${rule.property || 'empty property'}`}
                  onClick={() => form.removeListItem('rules', index)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </Group>
          )
        })}
        {canEdit && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => form.insertListItem('rules', newRule())}
            >
              Add rule
            </Button>
            <Button type="submit" loading={patch.isPending} disabled={!form.isDirty()}>
              Save rules
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
