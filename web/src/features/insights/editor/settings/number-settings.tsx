import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { DEFAULT_CURRENCY, toNumberFormat } from '#model/number-format.ts'
import { NUMBER_LOCALES, type NumberLocale } from '#model/number-locale.ts'
import { Choice } from '../../../../ui/form/choice.tsx'
import { useFieldError } from '../errors.tsx'
import { Section } from '../forms/section.tsx'
import { type SettingsProps, toNumberOrNull } from './settings.ts'

const FORMATS = [
  { value: 'numeric', label: 'Number' },
  { value: 'short', label: 'Short number (1.2k)' },
  { value: 'percentage', label: 'Percent (0 to 100)' },
  { value: 'percentage_scaled', label: 'Percent (0 to 1)' },
  { value: 'currency', label: 'Currency' },
  { value: 'duration', label: 'Duration in seconds' },
  { value: 'duration_ms', label: 'Duration in milliseconds' },
  { value: 'bytes', label: 'Bytes' },
] as const

const LANGUAGES: Readonly<Record<NumberLocale, string>> = {
  en: 'English',
  'en-IN': 'English (India)',
  de: 'German',
  'de-CH': 'German (Switzerland)',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  nl: 'Dutch',
  pl: 'Polish',
  'pt-BR': 'Portuguese (Brazil)',
  sv: 'Swedish',
}

const LOCALES = NUMBER_LOCALES.map((numberLocale) => ({
  value: numberLocale,
  label: `${LANGUAGES[numberLocale]}: ${toNumberFormat({ numberLocale }).full(123456.7)}`,
}))

/** Formats whose decimal places can be chosen. */
const DECIMAL: readonly string[] = ['numeric', 'percentage', 'percentage_scaled', 'currency']

/** The format of all values of the chart. */
export function NumberSettings({ settings, set, path }: SettingsProps) {
  const {
    aggregationAxisFormat: format,
    aggregationAxisPrefix: prefix,
    aggregationAxisPostfix: suffix,
    aggregationAxisCurrency: currency,
    decimalPlaces,
    minDecimalPlaces,
    numberLocale,
  } = settings
  const currencyError = useFieldError(`${path}__aggregationAxisCurrency`)
  const decimalsError = useFieldError(`${path}__decimalPlaces`)
  const isDecimal = DECIMAL.includes(format ?? 'numeric')
  return (
    <Section title="Numbers">
      <SimpleGrid cols={2} spacing="xs">
        <Choice
          label="Format"
          data={FORMATS}
          value={format ?? 'numeric'}
          onChange={(chosen) => set({ aggregationAxisFormat: chosen })}
        />
        <Choice
          label="Written as in"
          data={LOCALES}
          comboboxProps={{ width: 'max-content' }}
          value={numberLocale ?? 'en'}
          onChange={(locale) => set({ numberLocale: locale })}
        />
        {format === 'currency' && (
          <TextInput
            label="Currency"
            placeholder={DEFAULT_CURRENCY}
            maxLength={3}
            value={currency ?? ''}
            error={currencyError && 'Three letters, such as EUR.'}
            onChange={({ currentTarget }) =>
              set({ aggregationAxisCurrency: currentTarget.value.toUpperCase() || null })
            }
          />
        )}
        {isDecimal && (
          <>
            <NumberInput
              label="Max. decimals"
              placeholder="2"
              min={0}
              max={10}
              allowDecimal={false}
              value={decimalPlaces ?? ''}
              error={decimalsError}
              onChange={(value) => set({ decimalPlaces: toNumberOrNull(value) })}
            />
            <NumberInput
              label="Min. decimals"
              placeholder="0"
              min={0}
              max={10}
              allowDecimal={false}
              value={minDecimalPlaces ?? ''}
              onChange={(value) => set({ minDecimalPlaces: toNumberOrNull(value) })}
            />
          </>
        )}
        <TextInput
          label="Prefix"
          maxLength={50}
          value={prefix ?? ''}
          onChange={({ currentTarget }) => set({ aggregationAxisPrefix: currentTarget.value })}
        />
        <TextInput
          label="Suffix"
          maxLength={50}
          value={suffix ?? ''}
          onChange={({ currentTarget }) => set({ aggregationAxisPostfix: currentTarget.value })}
        />
      </SimpleGrid>
    </Section>
  )
}
