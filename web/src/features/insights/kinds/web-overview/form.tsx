import { Section } from '../../editor/forms/section.tsx'

/** Has nothing to choose but dates and filters, which every kind has. */
export default function WebOverviewForm() {
  return (
    <Section title="Visits" about="Counts visits that began in the dates and match the filters.">
      {null}
    </Section>
  )
}
