import { locale } from './words/words.ts';

/** Names that some browsers list by the place's former name. All browsers understand both. */
const presentNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

export interface Zone {
  /** IANA name: `America/New_York`. */
  readonly id: string;
  /** The name for people: `America/New York`. */
  readonly name: string;
}

export const zoneTitle = (id: string): string => id.replaceAll('_', ' ');

/**
 * All time zones that the browser knows, by name, UTC first.
 *
 * @param used zones that are in the list even if this browser does not list them
 */
export function listZones(...used: readonly string[]): Zone[] {
  const known = Intl.supportedValuesOf('timeZone').map((id) => presentNames[id] ?? id);
  const ids = new Set([...known, ...used].filter((id) => id !== 'UTC'));
  return ['UTC', ...[...ids].toSorted()].map((id) => ({ id, name: zoneTitle(id) }));
}

/** Returns what clocks show in a zone: `GMT+2` and `09:41`. */
export function clockIn(id: string, at: Date): { readonly offset: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone: id,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  }).formatToParts(at);
  const part = (wanted: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === wanted)?.value;
  return { offset: part('timeZoneName') ?? '', time: `${part('hour')}:${part('minute')}` };
}
