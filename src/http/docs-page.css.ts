/** Inlined into the page unchanged, because the content security policy allows it by its hash. */
export const docsPageStyles = `
:root {
  color-scheme: light dark;
  --canvas: #f7f9f8; --surface: #fff; --hairline: #e4e8e5; --border: #d5dbd7;
  --text: #1c2420; --dimmed: #5f6b65; --link: #24684a; --focus: #2f7d5b; --chip: #eef2f0;
  --green: #24684a; --green-tint: #dcece3; --blue: #2f55b8; --blue-tint: #e6ecfb;
  --amber: #874600; --amber-tint: #fcebd5; --rust: #832c11; --rust-tint: #fae5de;
  --violet: #6e3f92; --violet-tint: #f0e6f7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #141716; --surface: #1a1e1c; --hairline: #2c3230; --border: #343b38;
    --text: #e4e9e6; --dimmed: #98a39d; --link: #8fd9b3; --focus: #74d3a6; --chip: #262c29;
    --green: #8fd9b3; --green-tint: rgb(116 211 164 / 14%); --blue: #adbdf7; --blue-tint: rgb(120 146 240 / 18%);
    --amber: #f8c766; --amber-tint: rgb(248 182 43 / 14%); --rust: #f2a78a; --rust-tint: rgb(232 122 66 / 16%);
    --violet: #cdc1fb; --violet-tint: rgb(187 172 250 / 15%);
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 24px; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--canvas); color: var(--text);
  font: 14px/1.55 "Inter Variable", Inter, system-ui, sans-serif; overflow-wrap: break-word;
}
h1, h2, h3, h4, p, ul, pre, table { margin: 0; }
h1, h2, h3 { font-weight: 600; letter-spacing: -0.011em; line-height: 1.3; }
h1 { font-size: 28px; }
h2 { font-size: 22px; }
h3 { font-size: 18px; }
h4 { margin-top: 24px; font-size: 13px; font-weight: 600; }
a { color: var(--link); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, pre { font: 12.5px/1.6 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
p > code { padding: 1px 5px; border-radius: 4px; background: var(--chip); overflow-wrap: anywhere; }
pre {
  padding: 12px 16px; border: 1px solid var(--hairline); border-radius: 8px; background: var(--surface);
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.skip { position: absolute; left: 16px; top: -60px; padding: 8px 12px; border-radius: 8px; background: var(--surface); }
.skip:focus { top: 12px; z-index: 1; }

.layout { display: grid; grid-template-columns: 288px minmax(0, 1fr); max-width: 1600px; margin: 0 auto; }
.sidebar {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 28px 16px 32px 24px;
  border-right: 1px solid var(--hairline); scrollbar-width: thin;
}
.brand { padding: 0 8px; font-size: 15px; font-weight: 600; letter-spacing: -0.011em; }
.brand a { color: inherit; text-decoration: none; }
.brand span { color: var(--dimmed); font-size: 12px; font-weight: 400; }
.menu, .back { display: none; }
nav { font-size: 13px; }
nav ul { margin-top: 12px; padding: 0; list-style: none; }
nav p { margin-top: 20px; font-weight: 600; }
nav p + ul { margin-top: 4px; }
nav a { display: flex; gap: 8px; align-items: baseline; padding: 4px 8px; border-radius: 6px; color: inherit; text-decoration: none; }
nav a:hover { background: var(--chip); }
nav .method { flex: 0 0 56px; font-size: 10px; text-align: center; }

main { container-type: inline-size; min-width: 0; padding: 44px 48px 96px; }
.intro p, .group > p { max-width: 70ch; }
.intro p { margin-top: 12px; font-size: 16px; }
.group { margin-top: 56px; }
.group > p, .group > pre, .group > table { margin-top: 12px; }
.group > pre { max-width: 760px; }
.group > table { margin-top: 24px; }
.intro + .group { margin-top: 40px; }
.operation, .schema { margin-top: 24px; padding-top: 24px; border-top: 1px solid var(--hairline); }
:target h3 { color: var(--link); }
.what > p { margin-top: 12px; max-width: 70ch; }
.endpoint { display: flex; gap: 8px; align-items: baseline; }
.endpoint code { min-width: 0; padding: 0; background: none; font-size: 13px; overflow-wrap: break-word; }
.example h4 { margin-bottom: 8px; }
.schema > :is(p, table) { margin-top: 12px; }
.method, .status {
  display: inline-block; padding: 1px 7px; border-radius: 6px; font-size: 11px; font-weight: 600;
  line-height: 18px; letter-spacing: 0.02em; font-variant-numeric: tabular-nums; text-decoration: none;
}
.method { background: var(--chip); }
.get { color: var(--blue); background: var(--blue-tint); }
.post, .done { color: var(--green); background: var(--green-tint); }
.patch { color: var(--amber); background: var(--amber-tint); }
.put { color: var(--violet); background: var(--violet-tint); }
.delete, .refused { color: var(--rust); background: var(--rust-tint); }
.access, .aside, .refusals, .rules, .format { color: var(--dimmed); }
.access, .aside, .refusals { font-size: 13px; }
.aside { margin-top: 6px; }
.responses { padding: 0; list-style: none; }
.responses li { margin-top: 10px; }
.responses .status, .refusals .status { margin-right: 4px; }
.refusals { margin-top: 12px; }

table {
  width: 100%; margin-top: 8px; border: 1px solid var(--hairline); border-spacing: 0; border-radius: 12px;
  background: var(--surface); font-size: 13px; overflow: hidden;
}
th, td { padding: 8px 12px; text-align: left; vertical-align: top; font-weight: 400; }
tbody :is(th, td) { border-top: 1px solid var(--hairline); }
thead th { color: var(--dimmed); font-size: 12px; font-weight: 500; }
tr > :nth-child(1) { width: 30%; }
tr > :nth-child(2) { width: 22%; }
tbody th code { font-weight: 600; overflow-wrap: anywhere; }
.required { color: var(--rust); font-size: 11px; font-weight: 500; white-space: nowrap; }
td .rules { font-size: 12px; line-height: 20px; }

@container (min-width: 1060px) {
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 440px); column-gap: 40px; }
  .example { position: sticky; top: 24px; align-self: start; }
  .example h4 { margin-top: 0; }
}
@media (max-width: 860px) {
  .layout { display: block; }
  .sidebar { position: static; height: auto; padding: 16px; border: 0; }
  .side { display: none; }
  .brand { padding: 0; }
  .menu { display: block; margin-top: 12px; border: 1px solid var(--border); border-radius: 12px; background: var(--surface); }
  .menu summary { padding: 10px 14px; font-weight: 500; cursor: pointer; }
  .menu nav { padding: 0 8px 12px; border-top: 1px solid var(--hairline); }
  .menu nav a { padding: 8px; }
  main { padding: 12px 16px 96px; }
  h1 { font-size: 24px; }
  .back {
    display: block; position: fixed; right: 16px; bottom: 16px; padding: 6px 14px; border: 1px solid var(--border);
    border-radius: 20px; background: var(--surface); font-size: 13px; text-decoration: none;
  }
}
@media (max-width: 560px) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: 2px 10px; padding: 10px 12px; }
  tr + tr { border-top: 1px solid var(--hairline); }
  tr > :is(th, td):nth-child(n) { width: auto; padding: 0; border: 0; }
  tr > td:nth-child(3) { flex-basis: 100%; }
}
@media print {
  .sidebar, .back { display: none; }
  .layout { display: block; }
}
`
