import { toPropertyLabel } from '#model/names/property-label.ts'
import { type Html, html } from '#server/html/html.ts'
import { PROPERTY, VARIABLE, type ViewerChoices } from '../links/viewer-choices.ts'

interface Field {
  /** The parameter of the address. */
  readonly name: string
  readonly label: string
  /** undefined: a day, or any text. */
  readonly values?: readonly string[] | undefined
  readonly isDay?: boolean
}

function listFields({ filters }: ViewerChoices): Field[] {
  const { dates, properties, variables } = filters
  return [
    ...(dates
      ? [
          { name: 'date_from', label: 'From', isDay: true },
          { name: 'date_to', label: 'To', isDay: true },
        ]
      : []),
    ...properties.map(({ key, values }) => ({
      name: PROPERTY + key,
      label: toPropertyLabel(key),
      values: values ?? undefined,
    })),
    ...variables.map(({ code_name, values }) => ({
      name: VARIABLE + code_name,
      label: code_name.replaceAll('_', ' '),
      values: values.map(String),
    })),
  ]
}

/** Renders what viewers can change as a form, which loads the page with their choices in its address. */
export function choiceForm(
  choices: ViewerChoices,
  /** Other parameters of the address, which stay. */
  kept: Readonly<Record<string, string>>,
): Html | undefined {
  const fields = listFields(choices)
  if (fields.length === 0) return undefined
  const hidden = Object.entries(kept).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const clear = html`<a href="?${new URLSearchParams(kept).toString()}">Clear</a>`
  return html`<form class="choices" method="get" aria-label="Filters">
${fields.map((field, at) => toField(field, `choice-${at}`, choices.chosen.get(field.name) ?? ''))}
${hidden}<button>Apply</button>${choices.chosen.size > 0 && clear}
</form>`
}

const toField = (field: Field, id: string, chosen: string): Html =>
  html`<p><label for="${id}">${field.label}</label>${toInput(field, id, chosen)}</p>
`

function toInput({ name, values, isDay }: Field, id: string, chosen: string): Html {
  if (!values) {
    return isDay
      ? html`<input id="${id}" type="date" name="${name}" value="${chosen}">`
      : html`<input id="${id}" name="${name}" value="${chosen}" maxlength="400" placeholder="All" autocomplete="off">`
  }
  return html`<select id="${id}" name="${name}"><option value="">All</option>
${values.map((value) => html`<option value="${value}"${value === chosen && html` selected`}>${value}</option>`)}
</select>`
}
