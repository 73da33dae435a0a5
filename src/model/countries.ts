/** The ISO 3166-1 codes of all countries, and Kosovo's, by the continent codes of MaxMind's databases. */
const COUNTRIES = {
  AF: 'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS: 'AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  EU: 'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  NA: 'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  OC: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
}

const continents: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES).flatMap(([continent, codes]) =>
    codes.split(' ').map((code) => [code, continent] as const),
  ),
)

export const COUNTRY_CODES: readonly string[] = [...continents.keys()]

/** Returns undefined for what is no country's code. */
export const findContinent = (code: string): string | undefined => continents.get(code)

/** Finds the code of a country by its code or its English name. */
export function findCountry(text: string): string | undefined {
  if (findContinent(text)) return text
  codes ??= new Map(COUNTRY_CODES.map((code) => [toCountryName(code), code]))
  return codes.get(text)
}

let codes: ReadonlyMap<string, string> | undefined
const names = new Map<string, string>()
let displayNames: Intl.DisplayNames | undefined

/** Returns the English name of a country. Keeps the names, because `Intl` takes 5 µs for each. */
export function toCountryName(code: string): string {
  const known = names.get(code)
  if (known !== undefined) return known
  displayNames ??= new Intl.DisplayNames('en', { type: 'region' })
  const name = displayNames.of(code) ?? code
  names.set(code, name)
  return name
}
