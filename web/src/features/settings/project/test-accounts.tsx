import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import type { Project } from '#server/features/people/projects/schema.ts'
import { notify } from '../../../ui/notify.ts'
import { RuleFields } from '../../../ui/property-rules/rule-fields.tsx'
import { newRule, toFilters, toRules } from '../../../ui/property-rules/rules.ts'
import { ErrorAlert } from '../../../ui/states.tsx'
import { usePatchProject } from './api.ts'

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
        <RuleFields
          rules={rules}
          noun="rule"
          canEdit={canEdit}
          onChange={(changed) => form.setFieldValue('rules', [...changed])}
        />
        {canEdit && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => form.insertListItem('rules', newRule('not_icontains'))}
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
