import { NumberInput, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Organization } from '#server/features/accounts/projects/schema.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { SettingsForm } from '../shared/settings-form.tsx'
import { useSaveSignInRule } from './api.ts'

const MAX_DAYS = 90

/** A form for whether members need a second factor. */
export function SignInRule({ organization }: { readonly organization: Organization }) {
  const save = useSaveSignInRule()
  const { enforce_2fa, second_factor_grace_days } = organization
  const form = useForm({ initialValues: { enforce_2fa, second_factor_grace_days } })
  const submit = form.onSubmit((rule) =>
    save.mutate(rule, {
      onSuccess: () => {
        form.resetDirty()
        notify({ message: 'Rule saved.' })
      },
    }),
  )
  return (
    <Panel
      title="Sign-in"
      about="API keys and sign-ins with OpenID Connect need no second factor of Hedgerow."
    >
      <SettingsForm
        form={form}
        saving={save}
        onSubmit={submit}
        yes="Save rule"
        isDisabled={!form.isDirty()}
      >
        <Switch
          label="Require a second factor"
          description="After the grace period, members without one can only set it up."
          {...form.getInputProps('enforce_2fa', { type: 'checkbox' })}
        />
        <NumberInput
          label="Grace period in days"
          description="From now, or from when a member joins."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          withAsterisk={false}
          min={0}
          max={MAX_DAYS}
          allowDecimal={false}
          disabled={!form.values.enforce_2fa}
          {...form.getInputProps('second_factor_grace_days')}
        />
      </SettingsForm>
    </Panel>
  )
}
