/**
 * Runs statements if a table lacks a column. `add column if not exists` would wait for all running queries even if the
 * column is there, and new queries would wait behind it.
 */
export const ifColumnIsMissing = (table: string, column: string, statements: string): string =>
  `do $$ begin
    if not exists (select from pg_attribute where attrelid = '${table}'::regclass and attname = '${column}') then
      ${statements}
    end if;
  end $$`
