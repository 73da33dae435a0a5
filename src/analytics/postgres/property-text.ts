import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../properties-text.ts'

/**
 * Functions that write an object, a list or a number with an exponent as DuckDB does. PostgreSQL itself adds spaces and
 * an order of its own to the first two and writes the last without an exponent, so breakdown labels would differ.
 */
export const PROPERTY_TEXT = [
  `create or replace function property_quoted(value text) returns text
    language sql immutable strict parallel safe as $$
    select case when value ~ '[\\x0b\\x0e\\x0f\\x1a-\\x1f]'
      then '"' || (
        select string_agg(
          case when letter ~ '[\\x0b\\x0e\\x0f\\x1a-\\x1f]'
            then '\\u00' || upper(lpad(to_hex(ascii(letter)), 2, '0'))
            else substr(to_json(letter)::text, 2, length(to_json(letter)::text) - 2)
          end, '' order by number)
        from regexp_split_to_table(value, '') with ordinality as letters (letter, number)
      ) || '"'
      else to_json(value)::text
    end
  $$`,
  `create or replace function property_text(value jsonb, is_nested boolean default false) returns text
    language plpgsql immutable strict parallel safe as $$
    begin
      case jsonb_typeof(value)
        when 'object' then
          return '{' || coalesce((
            select string_agg(property_quoted(key) || ':' || property_text(member, true), ',' order by key collate "C")
            from jsonb_each(value) as members (key, member)
          ), '') || '}';
        when 'array' then
          return '[' || coalesce((
            select string_agg(property_text(item, true), ',' order by number)
            from jsonb_array_elements(value) with ordinality as items (item, number)
          ), '') || ']';
        when 'number' then
          if value::text !~ '^-?(0[.]000000|[0-9]{22})' then return value::text; end if;
          return regexp_replace(value::float8::text, 'e(?:[+]|(-)0?)', 'e\\1');
        when 'string' then
          return case when is_nested then property_quoted(value #>> '{}') else value #>> '{}' end;
        else return value::text;
      end case;
    end
  $$`,
]

/** Matches texts that DuckDB may write differently. */
const SUSPECT = '^[{[]|^-?(0[.]000000|[0-9]{22})'

/**
 * Returns the text of a property of the documents in `column`. Most properties are plain, and calling the function for
 * each would take four times as long as testing its text.
 */
export function propertyText(column: string, key: string): RawBuilder<unknown> {
  const document = sql.ref(column)
  const text = sql`jsonb_extract_path_text(${document}, ${key}::text)`
  return sql`case when ${text} ~ ${sql.lit(SUSPECT)} then property_text(jsonb_extract_path(${document}, ${key}::text)) else ${text} end collate "C"`
}

/** Returns what `propertyText` returns for a property with this value, in a fraction of the time. */
export function toPropertyText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : toNestedText(value)
}

function toNestedText(value: unknown): string {
  if (typeof value === 'string') return toQuoted(value)
  if (typeof value === 'number') return String(value).replace('e+', 'e')
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(toNestedText).join()}]`
  const members = Object.entries(value).sort(([one], [other]) => compareBytes(one, other))
  return `{${members.map(([key, member]) => `${toQuoted(key)}:${toNestedText(member)}`).join()}}`
}

/** DuckDB writes control characters in upper case. */
const toQuoted = (text: string): string =>
  JSON.stringify(text).replace(/\\(?:u00(..)|.)/g, (escaped, hex?: string) =>
    hex === undefined ? escaped : `\\u00${hex.toUpperCase()}`,
  )
