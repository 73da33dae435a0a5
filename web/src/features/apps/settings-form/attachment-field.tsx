import { Button, FileButton, Group, Input, Text } from '@mantine/core'
import { IconFile, IconUpload } from '@tabler/icons-react'
import {
  type SettingProps,
  type StoredFile,
  settingLabel,
  storedSettings,
  toHiddenProps,
} from './setting-rules.ts'

/** Shows the stored file, or the selected one until the form is saved. */
export function AttachmentField(props: SettingProps) {
  const { setting, config, draft, isRequired, onChange } = props
  const { key } = setting
  const stored = storedSettings(config)[key] as StoredFile | undefined
  const chosen = draft.files[key]
  const isCleared = draft.cleared.includes(key)
  const choose = (file: File | null) => {
    if (!file) return
    onChange({
      ...draft,
      files: { ...draft.files, [key]: file },
      cleared: draft.cleared.filter((one) => one !== key),
    })
  }
  const remove = () => {
    const { [key]: _dropped, ...files } = draft.files
    const cleared = stored && !chosen ? [...draft.cleared, key] : draft.cleared
    onChange({ ...draft, files, cleared })
  }
  const hasFile = chosen !== undefined || (stored !== undefined && !isCleared)
  return (
    <Input.Wrapper labelElement="div" {...toHiddenProps(props)}>
      <Group gap="xs" mt={4}>
        <FileButton onChange={choose} inputProps={{ 'aria-label': settingLabel(setting) }}>
          {(button) => (
            <Button
              {...button}
              size="xs"
              variant="default"
              leftSection={<IconUpload size={14} />}
              aria-label={`${hasFile ? 'Replace file' : 'Choose file'} for ${settingLabel(setting)}`}
            >
              {hasFile ? 'Replace file' : 'Choose file'}
            </Button>
          )}
        </FileButton>
        {hasFile && (
          <>
            <Group gap={4} wrap="nowrap">
              <IconFile size={14} />
              <Text size="sm">{describeFile(chosen ?? stored)}</Text>
            </Group>
            {(!isRequired || chosen) && (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={remove}
                aria-label={`Remove file for ${settingLabel(setting)}`}
              >
                Remove file
              </Button>
            )}
          </>
        )}
        {!hasFile && isCleared && (
          <Text size="xs" c="dimmed">
            Removed when you save.
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  )
}

const UNITS = ['bytes', 'KB', 'MB', 'GB']

/** Secret files have no name or size to show. */
function describeFile(file: StoredFile | undefined): string {
  if (!file) return ''
  if (file.size < 0) return 'File set'
  const power = file.size === 0 ? 0 : Math.min(3, Math.floor(Math.log10(file.size) / 3))
  const size = (file.size / 1000 ** power).toLocaleString('en', { maximumFractionDigits: 1 })
  return `${file.name} (${size} ${UNITS[power]})`
}
