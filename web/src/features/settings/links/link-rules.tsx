import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMe } from '../../../api/session.ts'
import { FormError } from '../../../ui/form/form-error.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { useSaveLinkRules } from './api.ts'

const MAX_DAYS = 3650

/** A form for what the organization allows its public links. Others stop opening at once. */
export function LinkRules() {
  const { organization } = useMe()
  const save = useSaveLinkRules()
  const form = useForm({
    initialValues: {
      allow_publicly_shared_resources: organization.allow_publicly_shared_resources,
      public_links_require_password: organization.public_links_require_password,
      public_link_max_days: organization.public_link_max_days ?? ('' as number | ''),
    },
  })
  const areAllowed = form.values.allow_publicly_shared_resources
  const submit = form.onSubmit(({ public_link_max_days: days, ...rules }) =>
    save.mutate(
      { ...rules, public_link_max_days: days === '' ? null : days },
      { onSuccess: () => form.resetDirty() },
    ),
  )
  return (
    <Panel
      title="Rules for public links"
      about="Links that break a rule stop opening at once, and open again when the rule is lifted."
    >
      <form onSubmit={submit}>
        <Stack>
          <FormError error={save.error} form={form} />
          <Switch
            label="Allow public links"
            description="Off: no dashboard opens without signing in."
            {...form.getInputProps('allow_publicly_shared_resources', { type: 'checkbox' })}
          />
          <Switch
            label="Require a password or people"
            description="Only links that ask for a password, or a code of a guest, open."
            disabled={!areAllowed}
            {...form.getInputProps('public_links_require_password', { type: 'checkbox' })}
          />
          <NumberInput
            label="Longest time in days"
            description="Counted from the day a link is added or turned on."
            placeholder="Any"
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            disabled={!areAllowed}
            maw={280}
            {...form.getInputProps('public_link_max_days')}
          />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save rules
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
