import { Button, Group, PasswordInput, Select, Text, Textarea, TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { ConfigField } from '#server/features/import-apps/plugins/schema.ts'
import classes from '../apps.module.css'
import { AttachmentField } from './attachment-field.tsx'
import { ColumnField } from './column-field.tsx'
import {
  type FieldProps,
  isSetting,
  type SettingProps,
  type SettingsDraft,
  settingLabel,
  storedSettings,
  toHiddenProps,
} from './setting-rules.ts'

const Markdown = lazy(() => import('../../../ui/page/markdown.tsx'))

/** A setting's input, or Markdown between settings. */
export function SettingField({ field, ...props }: FieldProps & { readonly field: ConfigField }) {
  return (
    <div>
      {field.markdown && (
        <Suspense>
          <Markdown text={field.markdown} />
        </Suspense>
      )}
      {isSetting(field) && <Input setting={field} {...props} />}
    </div>
  )
}

function Input(props: SettingProps) {
  const { setting } = props
  if (setting.type === 'attachment') return <AttachmentField {...props} />
  if (setting.secret) return <SecretField {...props} />
  return <OpenField {...props} />
}

const withText = (draft: SettingsDraft, key: string, text: string): SettingsDraft => ({
  ...draft,
  texts: { ...draft.texts, [key]: text },
})

function OpenField({ setting, draft, isRequired, error, columns, onChange }: SettingProps) {
  const { key, type, hint, column, choices = [] } = setting
  const common = {
    label: settingLabel(setting),
    description: hint,
    withAsterisk: isRequired,
    error,
    value: draft.texts[key] ?? '',
  }
  const set = (text: string) => onChange(withText(draft, key, text))
  if (type === 'choice') {
    return (
      <Select
        {...common}
        value={common.value || null}
        data={[...choices]}
        allowDeselect={!isRequired}
        onChange={(choice) => set(choice ?? '')}
      />
    )
  }
  if (type === 'json') {
    return (
      <Textarea
        {...common}
        autosize
        minRows={3}
        maxRows={16}
        classNames={{ input: classes.code }}
        spellCheck={false}
        placeholder="{ }"
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    )
  }
  if (column) return <ColumnField {...common} columns={columns} onChange={set} />
  return <TextInput {...common} onChange={({ currentTarget }) => set(currentTarget.value)} />
}

function toPlaceholder(isKept: boolean, isReentry: boolean): string {
  if (!isKept) return 'Not set'
  return isReentry ? 'Enter it again' : 'Leave empty to keep the current value'
}

/** The API never returns secrets; typing replaces the stored one. */
function SecretField(props: SettingProps) {
  const { setting, config, draft, isRequired, reentry, onChange } = props
  const { key, type } = setting
  const isSet = Boolean(storedSettings(config)[key])
  const isCleared = draft.cleared.includes(key)
  const common = {
    ...toHiddenProps(props),
    value: draft.texts[key] ?? '',
    placeholder: toPlaceholder(isSet && !isCleared, reentry !== undefined),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(withText(draft, key, currentTarget.value)),
  }
  const toggle = () =>
    onChange({
      ...draft,
      cleared: isCleared ? draft.cleared.filter((one) => one !== key) : [...draft.cleared, key],
    })
  return (
    <>
      {type === 'json' ? (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={10}
          classNames={{ input: classes.code }}
          spellCheck={false}
        />
      ) : (
        <PasswordInput {...common} visibilityToggleButtonProps={{ 'aria-label': 'Show value' }} />
      )}
      {isSet && !isRequired && (
        <Group gap="xs" mt={4}>
          {isCleared && (
            <Text size="xs" c="dimmed">
              Removed when you save.
            </Text>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={toggle}
            aria-label={`${isCleared ? 'Keep' : 'Remove'} ${settingLabel(setting)}`}
          >
            {isCleared ? 'Keep' : 'Remove'}
          </Button>
        </Group>
      )}
    </>
  )
}
